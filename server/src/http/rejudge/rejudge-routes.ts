import { Readable } from "node:stream";
import { Type, type Static } from "typebox";
import { changeKinds, rejudgeStates, severities } from "../../db/tables.ts";
import { exportChanges, listChanges, readRejudge as read } from "../../rejudge/read-rejudge.ts";
import { startRejudge } from "../../rejudge/start-rejudge.ts";
import { Page, pageQuery, readPage } from "../cursor.ts";
import { defineRoute, type Route } from "../route.ts";
import { Body, Maybe, Nullable, OneOf, Timestamp, Uuid } from "../schemas.ts";

const usual = 100;

const DeclaredContext = Body(
  {
    jurisdictions: Maybe(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 })),
    sector: Maybe(Type.String({ maxLength: 100 })),
    channel: Maybe(Type.String({ maxLength: 100 })),
    audience: Maybe(Type.String({ maxLength: 100 })),
    destination: Maybe(Type.String({ maxLength: 100 })),
    brand: Maybe(Type.String({ maxLength: 200 })),
    product: Maybe(Type.String({ maxLength: 200 })),
  },
  { description: "Takes the place of what the submissions declared, key by key." },
);

const filterFields = {
  since: Maybe(Type.String({ format: "date-time", description: "Assets that completed at this time or later." })),
  until: Maybe(Type.String({ format: "date-time", description: "Assets that completed before this time." })),
  submissionIds: Maybe(Type.Array(Uuid, { minItems: 1, maxItems: 500 })),
};

const RejudgeChange = Type.Object(
  {
    changeId: Uuid,
    submissionId: Uuid,
    assetId: Uuid,
    filename: Type.String(),
    change: OneOf(changeKinds),
    ruleCode: Type.String(),
    fingerprint: Type.String(),
    severityBefore: Nullable(OneOf(severities)),
    severityAfter: Nullable(OneOf(severities)),
    summary: Type.String(),
  },
  { title: "RejudgeChange" },
);

const anyObject = { type: "object", additionalProperties: true };

const Rejudge = Type.Object(
  {
    rejudgeId: Uuid,
    state: OneOf(rejudgeStates),
    dryRun: Type.Boolean({ description: "True: nothing is changed, only told." }),
    filter: Type.Unsafe<Record<string, unknown>>(anyObject),
    context: Type.Unsafe<Record<string, unknown> | null>({ ...anyObject, type: ["object", "null"] }),
    sidekickIds: Nullable(Type.Array(Uuid)),
    assetCount: Type.Integer({ description: "Assets to judge." }),
    doneCount: Type.Integer(),
    changedCount: Type.Integer({ description: "Assets with at least one difference." }),
    skippedCount: Type.Integer({
      description: "Assets that pass the filter and cannot be judged, because no evidence is kept of them.",
    }),
    progressPercent: Type.Integer({ minimum: 0, maximum: 100 }),
    errorMessage: Nullable(Type.String()),
    createdAt: Timestamp,
    completedAt: Nullable(Timestamp),
    rules: Type.Array(
      Type.Object({
        ruleCode: Type.String(),
        new: Type.Integer(),
        gone: Type.Integer(),
        changed: Type.Integer(),
        samples: Type.Array(RejudgeChange, { description: "Three of each kind at most." }),
      }),
      { description: "The differences by rule, the rules that changed most first." },
    ),
  },
  { title: "Rejudge" },
);

const changeExample = {
  changeId: "019a8c41-22b3-7e14-8c55-1d3e5f708b33",
  submissionId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
  assetId: "019a8c3e-5f71-7b02-8f3a-6c2d1e0b9a44",
  filename: "spring-ad.mp4",
  change: "new" as const,
  ruleCode: "XX-GREEN-ABSOLUTE",
  fingerprint: "5d41402abc4b2a76b9719d911017c592",
  severityBefore: null,
  severityAfter: "MAJOR" as const,
  summary: "“100 % carbon neutral” is an absolute green claim.",
};

const rejudgeExample = {
  rejudgeId: "019a8c41-22b3-7e14-8c55-1d3e5f708b32",
  state: "complete" as const,
  dryRun: true,
  filter: { since: "2026-08-17T00:00:00.000Z" },
  context: null,
  sidekickIds: null,
  assetCount: 2140,
  doneCount: 2140,
  changedCount: 1,
  skippedCount: 12,
  progressPercent: 100,
  errorMessage: null,
  createdAt: "2026-11-15T09:31:12.345Z",
  completedAt: "2026-11-15T09:31:21.000Z",
  rules: [{ ruleCode: "XX-GREEN-ABSOLUTE", new: 1, gone: 0, changed: 0, samples: [changeExample] }],
};

const RejudgeParams = Type.Object({ rejudge_id: Uuid });

const createRejudge = defineRoute({
  method: "POST",
  path: "/rejudge",
  bucket: "submission_write",
  role: "admin",
  operationId: "createRejudge",
  tag: "Results",
  summary: "Judge assets again by the rules of today",
  description:
    "Judges the kept evidence of complete assets by the packs that are loaded now, without their files, and says what differs from the results they have. Nothing is changed unless `dryRun` is false: then each result is replaced, issues with a known fingerprint keep their id and their decision unless they have become graver, and `asset.rejudged` is sent to who subscribes to it. Poll the run until its `state` is complete.",
  body: Body(
    {
      dryRun: Maybe(Type.Boolean({ default: true })),
      filter: Maybe(Body(filterFields, { description: "All complete assets when left out." })),
      context: Maybe(DeclaredContext),
      sidekickIds: Maybe(
        Type.Array(Uuid, { minItems: 1, maxItems: 50, description: "Those of each submission when left out." }),
      ),
    },
    { title: "CreateRejudge" },
  ),
  bodyExample: { filter: { since: "2026-08-17T00:00:00.000Z" } },
  responses: {
    202: {
      description: "The run, in the queue.",
      schema: Rejudge,
      example: {
        ...rejudgeExample,
        state: "waiting",
        doneCount: 0,
        changedCount: 0,
        progressPercent: 0,
        completedAt: null,
        rules: [],
      },
    },
  },
  failures: [],
  async handler({ app, caller, body }) {
    const request = {
      filter: withoutNulls(body.filter ?? {}),
      context: body.context ? withoutNulls(body.context) : null,
      sidekickIds: body.sidekickIds ?? null,
    };
    return { status: 202, body: await startRejudge(app, { caller, isDryRun: body.dryRun ?? true, request }) };
  },
});

/** Null is the same as leaving it out. */
function withoutNulls<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], null> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null)) as never;
}

const readRejudge = defineRoute({
  method: "GET",
  path: "/rejudge/:rejudge_id",
  bucket: "submission_read",
  role: "admin",
  operationId: "readRejudge",
  tag: "Results",
  summary: "Read how far a run is and what it found",
  description:
    "The differences by rule, with samples. Single differences: `…/changes`, or all of them as CSV: `…/export`.",
  params: RejudgeParams,
  responses: { 200: { description: "The run.", schema: Rejudge, example: rejudgeExample } },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    return { status: 200, body: await read(app, { workspaceId: caller.workspaceId, rejudgeId: params.rejudge_id }) };
  },
});

const listRejudgeChanges = defineRoute({
  method: "GET",
  path: "/rejudge/:rejudge_id/changes",
  bucket: "submission_read",
  role: "admin",
  operationId: "listRejudgeChanges",
  tag: "Results",
  summary: "List the differences that a run found",
  description: "In the order in which they were found.",
  params: RejudgeParams,
  query: Body({
    ...pageQuery({ most: 1000, usual }),
    ruleCode: Maybe(Type.String({ maxLength: 200 })),
    change: Maybe(OneOf(changeKinds)),
  }),
  responses: {
    200: {
      description: "One page.",
      schema: Page(RejudgeChange, "RejudgeChangePage"),
      example: { data: [changeExample], hasMore: false, nextCursor: null },
    },
  },
  failures: ["not_found"],
  async handler({ app, caller, params, query }) {
    const { workspaceId } = caller;
    const filter = { ruleCode: query.ruleCode ?? undefined, change: query.change ?? undefined };
    const ids = { workspaceId, rejudgeId: params.rejudge_id };
    const body = await readPage<Static<typeof RejudgeChange>>(query, {
      usual,
      idOf: ({ changeId }) => changeId,
      list: (span) => listChanges(app, { ...ids, filter, ...span }),
    });
    return { status: 200, body };
  },
});

const exportRejudge = defineRoute({
  method: "GET",
  path: "/rejudge/:rejudge_id/export",
  bucket: "submission_read",
  role: "admin",
  operationId: "exportRejudge",
  tag: "Results",
  summary: "Export the differences that a run found as CSV",
  description: "A line a difference. Texts that a spreadsheet would run as a formula begin with an apostrophe.",
  params: RejudgeParams,
  responses: {
    200: {
      description: "The export.",
      contentType: "text/csv; charset=utf-8",
      example: "submissionId,assetId,filename,change,ruleCode,severityBefore,severityAfter,summary",
    },
  },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    const ids = { workspaceId: caller.workspaceId, rejudgeId: params.rejudge_id };
    // Looked up before the answer begins: a stream cannot become a 404.
    await read(app, ids);
    return {
      status: 200,
      stream: Readable.from(exportChanges(app, ids)),
      headers: { "content-disposition": 'attachment; filename="rejudge.csv"' },
    };
  },
});

export const rejudgeRoutes: readonly Route[] = [createRejudge, readRejudge, listRejudgeChanges, exportRejudge];
