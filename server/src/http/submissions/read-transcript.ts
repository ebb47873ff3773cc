import { Type } from "typebox";
import { readTranscript as read } from "../../submissions/reading/read-transcript.ts";
import { Page, pageOf, pageQuery } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body } from "../schemas.ts";
import { AssetParams } from "./schemas.ts";

const usual = 500;

const Segment = Type.Object(
  {
    startSeconds: Type.Number(),
    endSeconds: Type.Number(),
    text: Type.String(),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    isDoubtful: Type.Boolean({
      description: "The words are a guess (another language, singing, noise): no rule judges them.",
    }),
  },
  { title: "TranscriptSegment" },
);

export const readTranscript = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/transcript",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readTranscript",
  tag: "Results",
  summary: "Read what is said",
  description:
    "The speech of the asset in order; empty when nobody speaks or no chosen sidekick listens. `speech.notJudged` of the measurements says when the words are not to be trusted as a whole. 404 until the asset has finished, and when it failed.",
  params: AssetParams,
  query: Body(pageQuery({ most: 1000, usual })),
  responses: {
    200: {
      description: "A page of segments.",
      schema: Page(Segment, "TranscriptPage"),
      example: {
        data: [{ startSeconds: 1.2, endSeconds: 3.4, text: "Drink responsibly.", confidence: 0.93, isDoubtful: false }],
        hasMore: false,
        nextCursor: null,
      },
    },
  },
  failures: ["not_found", "asset_not_finished", "asset_failed"],
  async handler({ app, caller, params, query }) {
    const ids = { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
    return { status: 200, body: pageOf(await read(app, ids), query, { usual }) };
  },
});
