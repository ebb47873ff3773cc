import { Type } from "typebox";
import {
  invite,
  listInvitations as list,
  withdrawInvitation,
  type Invitation as Row,
} from "../../people/invitations.ts";
import { linkUrl } from "../../people/links.ts";
import { defineRoute } from "../route.ts";
import { Body, Uuid } from "../schemas.ts";
import { Email, Invitation, linkProperty, MaybeMarkets, RoleName } from "./schemas.ts";

const base = { bucket: "console", role: "admin", auth: "person", tag: "People" } as const;

const example = {
  invitationId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
  email: "ana@example.com",
  role: "reviewer" as const,
  markets: null,
  createdAt: "2026-11-15T09:30:00.000Z",
  expiresAt: "2026-11-22T09:30:00.000Z",
};

function invitationOf({ createdAt, expiresAt, ...invitation }: Row) {
  return { ...invitation, createdAt: createdAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
}

export const createInvitation = defineRoute({
  ...base,
  method: "POST",
  path: "/invitations",
  operationId: "createInvitation",
  summary: "Invite somebody into the workspace",
  description:
    "The answer holds a link to copy; nothing is sent. It works once, for 7 days; inviting the same address again replaces it.",
  body: Body({ email: Email, role: RoleName, markets: Type.Optional(MaybeMarkets) }, { title: "NewInvitation" }),
  bodyExample: { email: "ana@example.com", role: "reviewer" },
  responses: {
    201: {
      description: "Invited.",
      schema: Type.Object({ ...Invitation.properties, ...linkProperty }, { title: "InvitationWithLink" }),
      example: { ...example, url: "http://127.0.0.1:8080/console#invitation=kq3x" },
    },
  },
  failures: ["person_exists"],
  async handler({ app, caller, body }) {
    const { workspaceId, actor } = caller;
    const { invitation, token } = await invite(app, { workspaceId, ...body, markets: body.markets ?? null, actor });
    return {
      status: 201,
      body: { ...invitationOf(invitation), url: linkUrl(app.publicUrl(), "invitation", token) },
    };
  },
});

export const listInvitations = defineRoute({
  ...base,
  method: "GET",
  path: "/invitations",
  operationId: "listInvitations",
  summary: "List invitations that nobody has used yet",
  description: "Never the links themselves.",
  responses: {
    200: {
      description: "Open invitations, oldest first.",
      schema: Type.Object({ data: Type.Array(Invitation) }, { title: "InvitationList" }),
      example: { data: [example] },
    },
  },
  failures: [],
  async handler({ app, caller }) {
    return { status: 200, body: { data: (await list(app, caller)).map(invitationOf) } };
  },
});

export const deleteInvitation = defineRoute({
  ...base,
  method: "DELETE",
  path: "/invitations/:invitation_id",
  operationId: "deleteInvitation",
  summary: "Withdraw an invitation",
  description: "Its link stops working at once.",
  params: Type.Object({ invitation_id: Uuid }),
  responses: { 204: { description: "Withdrawn.", schema: null } },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    const { workspaceId, actor } = caller;
    await withdrawInvitation(app, { workspaceId, invitationId: params.invitation_id, actor });
    return { status: 204 };
  },
});
