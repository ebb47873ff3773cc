import { readMeasurements as read } from "../../submissions/reading/read-measurements.ts";
import { defineRoute } from "../route.ts";
import { Measurements } from "./measurement-schemas.ts";
import { AssetParams } from "./schemas.ts";
import { measurementsExample } from "./examples.ts";

export const readMeasurements = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/measurements",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readMeasurements",
  tag: "Results",
  summary: "Read what was measured",
  description:
    "Figures, curves and text behind the findings, and those that no rule objected to. A key is null when no chosen sidekick asked for it or it does not apply to the file. 404 until the asset has finished, and when it failed.",
  params: AssetParams,
  responses: { 200: { description: "The measurements.", schema: Measurements, example: measurementsExample } },
  failures: ["not_found", "asset_not_finished", "asset_failed"],
  async handler({ app, caller, params }) {
    const ids = { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
    return { status: 200, body: await read(app, ids) };
  },
});
