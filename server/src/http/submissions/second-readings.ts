import { Type } from "typebox";
import { secondReadingOutcomes } from "../../db/tables.ts";
import { listReadings } from "../../second-reader/readings.ts";
import { Page, pageOf, pageQuery } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body, Nullable, OneOf, Timestamp, Uuid } from "../schemas.ts";
import { AssetParams } from "./schemas.ts";

const usual = 20;

const SecondReading = Type.Object(
  {
    readingId: Uuid,
    createdAt: Timestamp,
    model: Type.String(),
    promptVersion: Type.String({ description: "Changes whenever the prompt does." }),
    outcome: OneOf(secondReadingOutcomes, {
      description:
        "`refused`: the answer had not the form that was asked for, and nothing of it is used. `unavailable`: no answer in time. `over_budget`: not asked, the workspace has used its tokens of the day.",
    }),
    detail: Nullable(Type.String({ description: "What was not used, and why." })),
    request: Type.String({ description: "What the model was told of the asset." }),
    imageCount: Type.Integer({ description: "Frames it was shown; 0 unless the workspace allows media." }),
    answer: Nullable(Type.String({ description: "What it said, word for word. Not checked by anybody." })),
    tokens: Type.Integer(),
    durationMs: Type.Integer(),
  },
  { title: "SecondReading" },
);

export const readSecondReadings = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/second-readings",
  bucket: "submission_read",
  role: "viewer",
  operationId: "listSecondReadings",
  tag: "Results",
  summary: "Read what the language model was asked and said",
  description:
    "Empty unless the operator has configured a language model and the workspace allows it. What came of it is in the issues: `secondReader`, and issues of the sidekick `Second reader`, which wait for a person.",
  params: AssetParams,
  query: Body(pageQuery({ most: 100, usual })),
  responses: {
    200: {
      description: "A page of readings, oldest first.",
      schema: Page(SecondReading, "SecondReadingPage"),
      example: {
        data: [
          {
            readingId: "019a8c40-0f10-7a55-8c31-7b2e9d4f6a31",
            createdAt: "2026-01-15T09:30:12.000Z",
            model: "some-model",
            promptVersion: "3f9c2a71",
            outcome: "used",
            detail: null,
            request: '{"context":{},"findings":[],"text":[{"source":"document","text":"Good for your heart."}]}',
            imageCount: 0,
            answer: '{"explanations":[],"looks":[]}',
            tokens: 812,
            durationMs: 2140,
          },
        ],
        hasMore: false,
        nextCursor: null,
      },
    },
  },
  failures: ["not_found"],
  async handler({ app, caller, params, query }) {
    const ids = { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
    return { status: 200, body: pageOf(await listReadings(app, ids), query, { usual }) };
  },
});
