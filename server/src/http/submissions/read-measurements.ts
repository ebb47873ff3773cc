import { Type } from "typebox";
import { readMeasurements as read } from "../../submissions/read-measurements.ts";
import { defineRoute } from "../route.ts";
import { AssetParams } from "./schemas.ts";

export const readMeasurements = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/measurements",
  bucket: "submission_read",
  operationId: "readMeasurements",
  tag: "Results",
  summary: "Read what was measured",
  description:
    "Figures and curves behind the findings, and those that no rule objected to. A key is null when it was not asked for or does not apply. 404 until the asset has finished.",
  params: AssetParams,
  responses: {
    200: {
      description: "The measurements.",
      schema: Type.Unsafe<Record<string, unknown>>({
        type: "object",
        additionalProperties: true,
        title: "Measurements",
      }),
    },
  },
  failures: ["not_found", "asset_not_finished"],
  async handler({ app, caller, params }) {
    const ids = { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
    return { status: 200, body: await read(app, ids) };
  },
});
