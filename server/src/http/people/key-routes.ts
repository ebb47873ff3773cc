import { Type } from "typebox";
import { Failure } from "../../failure.ts";
import { notFound } from "../../not-found.ts";
import { createKey as create, listKeys as list, revokeKeyOf, type KeyRow } from "../../workspaces/manage-keys.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, OneOf, Timestamp, Uuid } from "../schemas.ts";
import { Key } from "./schemas.ts";

const base = { bucket: "console", role: "admin", auth: "person", tag: "People" } as const;

const example = {
  keyId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
  mode: "live" as const,
  name: "ad pipeline",
  keyHint: "sk_live_…9f3a",
  createdAt: "2026-11-15T09:30:00.000Z",
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

function keyOf({ keyId, mode, name, keyHint, createdAt, expiresAt, revokedAt, lastUsedAt }: KeyRow) {
  return {
    keyId,
    mode,
    name,
    keyHint,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

export const listKeys = defineRoute({
  ...base,
  method: "GET",
  path: "/keys",
  operationId: "listKeys",
  summary: "List the API keys of the workspace",
  description: "Never the keys themselves. Revoked ones stay in the list.",
  responses: {
    200: {
      description: "The keys, oldest first.",
      schema: Type.Object({ data: Type.Array(Key) }, { title: "KeyList" }),
      example: { data: [example] },
    },
  },
  failures: [],
  async handler({ app, caller }) {
    return { status: 200, body: { data: (await list(app.db, { workspace: caller.workspaceId })).map(keyOf) } };
  },
});

export const createKey = defineRoute({
  ...base,
  method: "POST",
  path: "/keys",
  operationId: "createKey",
  summary: "Create an API key",
  description: "The key is in this answer and nowhere else: only its hash is stored.",
  body: Body(
    {
      mode: OneOf(["live", "sandbox"]),
      name: Maybe(Type.String({ maxLength: 100, description: "What it is for." })),
      expiresAt: Maybe(Timestamp),
    },
    { title: "NewKey" },
  ),
  bodyExample: { mode: "live", name: "ad pipeline" },
  responses: {
    201: {
      description: "Created.",
      schema: Type.Object(
        { ...Key.properties, key: Type.String({ description: "Shown only here; keep it." }) },
        { title: "KeyWithSecret" },
      ),
      example: { ...example, key: `sk_live_${"9f3a".repeat(16)}` },
    },
  },
  failures: [],
  async handler({ app, caller, body }) {
    const { workspaceId: workspace, actor } = caller;
    const expiresAt = body.expiresAt ? new Date(body.expiresAt) : undefined;
    if (expiresAt && expiresAt <= app.now())
      throw new Failure("invalid_request", "The key would have expired already. Choose a later expiresAt.", {
        details: [{ path: "expiresAt", message: "must be in the future" }],
      });
    const { key, keyId } = await create(app.db, {
      workspace,
      mode: body.mode,
      name: body.name ?? undefined,
      expiresAt,
      actor,
    });
    const row = (await list(app.db, { workspace })).find((candidate) => candidate.keyId === keyId);
    if (!row) throw keyNotFound();
    return { status: 201, body: { ...keyOf(row), key } };
  },
});

export const revokeKey = defineRoute({
  ...base,
  method: "DELETE",
  path: "/keys/:key_id",
  operationId: "revokeKey",
  summary: "Revoke an API key",
  description: "Every process refuses it within 5 seconds.",
  params: Type.Object({ key_id: Uuid }),
  responses: { 204: { description: "Revoked.", schema: null } },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    const { workspaceId, actor } = caller;
    const revoked = await revokeKeyOf(app.db, { keyId: params.key_id, workspaceId, actor });
    if (!revoked) throw keyNotFound();
    return { status: 204 };
  },
});

function keyNotFound(): Failure {
  return notFound("key");
}
