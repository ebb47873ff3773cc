import { Type } from "typebox";
import { createResetLinkAsAdmin } from "../../people/passwords.ts";
import { changeMember, listMembers, removeMember, type Member as MemberRow } from "../../people/members.ts";
import { linkUrl } from "../../people/links.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, Nullable, Timestamp, Uuid } from "../schemas.ts";
import { linkProperty, MaybeMarkets, Member, memberExample, RoleName } from "./schemas.ts";

const base = { bucket: "console", auth: "person", tag: "People" } as const;
const PersonParams = Type.Object({ person_id: Uuid });

function memberOf({ joinedAt, disabledAt, ...member }: MemberRow) {
  return { ...member, joinedAt: joinedAt.toISOString(), isDisabled: disabledAt !== null };
}

export const listPeople = defineRoute({
  ...base,
  method: "GET",
  path: "/people",
  role: "viewer",
  operationId: "listPeople",
  summary: "List the people of the workspace",
  description: "Everybody with a role here, also to choose who a review is assigned to.",
  responses: {
    200: {
      description: "The people, in the order in which their accounts were made.",
      schema: Type.Object({ data: Type.Array(Member) }, { title: "MemberList" }),
      example: { data: [memberExample] },
    },
  },
  failures: [],
  async handler({ app, caller }) {
    return { status: 200, body: { data: (await listMembers(app, caller)).map(memberOf) } };
  },
});

export const changePerson = defineRoute({
  ...base,
  method: "PATCH",
  path: "/people/:person_id",
  role: "admin",
  operationId: "changePerson",
  summary: "Change a person's role in the workspace",
  description: "Seen within seconds on every process. The last admin stays one.",
  params: PersonParams,
  body: Body({ role: Maybe(RoleName), markets: Type.Optional(MaybeMarkets) }, { title: "MemberChange" }),
  bodyExample: { role: "reviewer" },
  responses: { 200: { description: "Changed.", schema: Member, example: memberExample } },
  failures: ["not_found", "last_admin"],
  async handler({ app, caller, params, body }) {
    const changed = await changeMember(app, {
      workspaceId: caller.workspaceId,
      personId: params.person_id,
      role: body.role ?? undefined,
      markets: body.markets,
      actor: caller.actor,
    });
    app.sessions.forget();
    return { status: 200, body: memberOf(changed) };
  },
});

export const removePerson = defineRoute({
  ...base,
  method: "DELETE",
  path: "/people/:person_id",
  role: "admin",
  operationId: "removePerson",
  summary: "Remove a person from the workspace",
  description:
    "They are out within seconds on every process; their decisions and comments stay. You may remove yourself, unless you are the last admin.",
  params: PersonParams,
  responses: { 204: { description: "Removed.", schema: null } },
  failures: ["not_found", "last_admin"],
  async handler({ app, caller, params }) {
    await removeMember(app, { workspaceId: caller.workspaceId, personId: params.person_id, actor: caller.actor });
    app.sessions.forget();
    return { status: 204 };
  },
});

export const createResetLink = defineRoute({
  ...base,
  method: "POST",
  path: "/people/:person_id/reset-link",
  role: "admin",
  operationId: "createResetLink",
  summary: "Make a link that sets a new password",
  description:
    "Works once, for 24 hours; a new one replaces it. Not for people who are also in a workspace that you do not administer.",
  params: PersonParams,
  responses: {
    201: {
      description: "The link.",
      schema: Type.Object({ ...linkProperty, expiresAt: Nullable(Timestamp) }, { title: "ResetLink" }),
      example: { url: "http://127.0.0.1:8080/console#reset=kq3x", expiresAt: "2026-11-16T09:30:00.000Z" },
    },
  },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    const { workspaceId, actor } = caller;
    const admin = { id: actor.id, name: actor.name };
    const { token, expiresAt } = await createResetLinkAsAdmin(app, { workspaceId, personId: params.person_id, admin });
    const url = linkUrl(app.publicUrl(), "reset", token);
    return { status: 201, body: { url, expiresAt: expiresAt?.toISOString() ?? null } };
  },
});
