import { Readable } from "node:stream";
import { Type } from "typebox";
import { auditFormats, exportAudit as exportAll } from "../../audit/export-audit.ts";
import { listAudit as list } from "../../audit/read-audit.ts";
import { auditExample } from "../review/examples.ts";
import { decodeCursor, encodeCursor, Page, pageQuery } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, Nullable, OneOf, Timestamp, Uuid } from "../schemas.ts";

const AuditEntry = Type.Object(
  {
    number: Type.Integer({ description: "Counts up by one in the workspace." }),
    entryId: Uuid,
    createdAt: Timestamp,
    actor: Type.Object({
      kind: OneOf(["key", "person", "operator"]),
      id: Nullable(Type.String()),
      name: Nullable(Type.String()),
    }),
    action: Type.String({ examples: ["review.decided"] }),
    target: Type.Object({ kind: Type.String(), id: Type.String() }),
    detail: Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }),
    hash: Type.String({ description: "SHA-256 over this entry and everything before it." }),
  },
  { title: "AuditEntry" },
);

const usual = 50;

export const listAudit = defineRoute({
  method: "GET",
  path: "/audit",
  bucket: "submission_read",
  role: "approver",
  operationId: "listAudit",
  tag: "Review",
  summary: "List what was changed, by whom and when",
  description:
    "Every change by a key, a person or the operator, the newest first. Each entry's hash covers all entries before it: `greenlit audit verify` proves that none was changed or removed.",
  query: Body({
    ...pageQuery({ most: 500, usual }),
    action: Maybe(Type.String({ maxLength: 100, examples: ["issue.decided"] })),
    actorId: Maybe(Type.String({ maxLength: 100 })),
    targetId: Maybe(Type.String({ maxLength: 100 })),
  }),
  responses: {
    200: {
      description: "One page.",
      schema: Page(AuditEntry, "AuditPage"),
      example: { data: [auditExample], hasMore: false, nextCursor: null },
    },
  },
  failures: [],
  async handler({ app, caller, query }) {
    const limit = query.limit ?? usual;
    const cursor = decodeCursor(query.cursor, /^\d{1,15}$/);
    const { action, actorId, targetId } = query;
    const found = await list(app.db, {
      workspaceId: caller.workspaceId,
      filter: { action: action ?? undefined, actorId: actorId ?? undefined, targetId: targetId ?? undefined },
      before: cursor === undefined ? undefined : Number(cursor),
      limit: limit + 1,
    });
    const data = found.slice(0, limit);
    const hasMore = found.length > limit;
    return { status: 200, body: { data, hasMore, nextCursor: hasMore ? encodeCursor(data.at(-1)?.number) : null } };
  },
});

const contentTypes = { ndjson: "application/x-ndjson", csv: "text/csv; charset=utf-8" } as const;

export const exportAudit = defineRoute({
  method: "GET",
  path: "/audit/export",
  bucket: "submission_read",
  role: "approver",
  operationId: "exportAudit",
  tag: "Review",
  summary: "Export the whole audit",
  description: "In order, a line an entry: JSON (`application/x-ndjson`), or CSV with `format=csv`.",
  query: Body({ format: Maybe(OneOf(auditFormats)) }),
  responses: {
    200: { description: "The export.", contentType: contentTypes.ndjson, example: JSON.stringify(auditExample) },
  },
  failures: [],
  async handler({ app, caller, query }) {
    const format = query.format ?? "ndjson";
    const lines = exportAll(app.db, { workspaceId: caller.workspaceId, format });
    return {
      status: 200,
      stream: Readable.from(lines),
      headers: {
        "content-type": contentTypes[format],
        "content-disposition": `attachment; filename="audit.${format}"`,
      },
    };
  },
});
