import { Type } from "typebox";
import { notFound } from "../../not-found.ts";
import { changePassword as change } from "../../people/passwords.ts";
import { endSessions } from "../../people/sessions.ts";
import { defineRoute } from "../route.ts";
import { Body, Uuid } from "../schemas.ts";
import { endedCookie } from "./cookie.ts";
import { describeMe } from "./describe-me.ts";
import { Me, meExample, NewPassword, PersonName, SessionItem } from "./schemas.ts";
import { callerOf } from "./session-caller.ts";

const base = { bucket: "console", role: "signed-in", auth: "person", tag: "People" } as const;

export const readMe = defineRoute({
  ...base,
  method: "GET",
  path: "/me",
  operationId: "readMe",
  summary: "Read who is signed in",
  description: "The person, their workspaces and roles, and the workspace and mode of this request.",
  responses: { 200: { description: "The person.", schema: Me, example: meExample } },
  failures: ["not_found"],
  async handler({ caller, session }) {
    return { status: 200, body: describeMe(session, caller) };
  },
});

export const changeMe = defineRoute({
  ...base,
  method: "PATCH",
  path: "/me",
  operationId: "changeMe",
  summary: "Change your name",
  description: "What the others see beside your decisions from now on.",
  body: Body({ name: PersonName }, { title: "MeChange" }),
  bodyExample: { name: "Ana Lima" },
  responses: { 200: { description: "Changed.", schema: Me, example: meExample } },
  failures: [],
  async handler({ app, caller, session, body }) {
    const name = body.name.trim();
    await app.db.updateTable("people").set({ name }).where("personId", "=", session.personId).execute();
    app.sessions.forget();
    return { status: 200, body: describeMe({ ...session, name }, caller) };
  },
});

export const changePassword = defineRoute({
  ...base,
  method: "POST",
  path: "/me/password",
  operationId: "changePassword",
  summary: "Change your password",
  description: "Your other sessions end.",
  body: Body(
    { currentPassword: Type.String({ minLength: 1, maxLength: 1000 }), newPassword: NewPassword },
    { title: "PasswordChange" },
  ),
  bodyExample: { currentPassword: "correct horse battery staple", newPassword: "staple battery horse correct" },
  responses: { 204: { description: "Changed.", schema: null } },
  failures: ["sign_in_failed", "passwords_off"],
  async handler({ app, session, body, request }) {
    const { personId, name, sessionId } = session;
    await change(app, { personId, name, sessionId, ...body, address: request.ip });
    return { status: 204 };
  },
});

export const chooseWorkspace = defineRoute({
  ...base,
  method: "PATCH",
  path: "/session",
  operationId: "chooseWorkspace",
  summary: "Choose the workspace of this session",
  description:
    "For requests that cannot name one in `X-Greenlit-Workspace`, such as those of an image or a stream in a page.",
  body: Body({ workspaceId: Type.String({ minLength: 1, maxLength: 40 }) }, { title: "WorkspaceChoice" }),
  bodyExample: { workspaceId: "ws_k3v5x2m7q4a6b2c3" },
  responses: { 200: { description: "Chosen.", schema: Me, example: meExample } },
  failures: ["not_found"],
  async handler({ app, session, body }) {
    const { workspaceId } = body;
    const caller = callerOf(session, { "x-greenlit-workspace": workspaceId });
    await app.db.updateTable("sessions").set({ workspaceId }).where("sessionId", "=", session.sessionId).execute();
    app.sessions.forget();
    return { status: 200, body: describeMe(session, caller) };
  },
});

export const signOut = defineRoute({
  ...base,
  method: "DELETE",
  path: "/session",
  operationId: "signOut",
  summary: "Sign out",
  description: "The session ends at once here, and within seconds on every process; its cookie is worth nothing then.",
  responses: { 204: { description: "Signed out.", schema: null } },
  failures: [],
  async handler({ app, session }) {
    const { personId, sessionId } = session;
    await endSessions(app.db, { personId, sessionId });
    app.sessions.forget();
    return { status: 204, headers: { "set-cookie": endedCookie(app) } };
  },
});

export const listSessions = defineRoute({
  ...base,
  method: "GET",
  path: "/sessions",
  operationId: "listSessions",
  summary: "List your sessions",
  description: "Where you are signed in. End those you do not know.",
  responses: {
    200: {
      description: "Your sessions, the newest first.",
      schema: Type.Object({ data: Type.Array(SessionItem) }, { title: "SessionList" }),
      example: {
        data: [
          {
            sessionId: "019a8c00-1b2c-7d3e-8f40-516273849507",
            isCurrent: true,
            createdAt: "2026-11-15T09:30:00.000Z",
            lastSeenAt: "2026-11-15T09:31:12.345Z",
            userAgent: "Mozilla/5.0",
            address: "203.0.113.7",
          },
        ],
      },
    },
  },
  failures: [],
  async handler({ app, session }) {
    const rows = await app.db
      .selectFrom("sessions")
      .select(["sessionId", "createdAt", "lastSeenAt", "userAgent", "address"])
      .where("personId", "=", session.personId)
      .where("expiresAt", ">", app.now())
      .orderBy("sessionId", "desc")
      .execute();
    const data = rows.map(({ createdAt, lastSeenAt, ...row }) => ({
      ...row,
      isCurrent: row.sessionId === session.sessionId,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
    }));
    return { status: 200, body: { data } };
  },
});

export const endSession = defineRoute({
  ...base,
  method: "DELETE",
  path: "/sessions/:session_id",
  operationId: "endSession",
  summary: "End one of your sessions",
  description: "It is over within seconds on every process.",
  params: Type.Object({ session_id: Uuid }),
  responses: { 204: { description: "Ended.", schema: null } },
  failures: ["not_found"],
  async handler({ app, session, params }) {
    const ended = await endSessions(app.db, { personId: session.personId, sessionId: params.session_id });
    if (ended === 0) throw notFound("session");
    app.sessions.forget();
    return { status: 204 };
  },
});
