import { signOriginal } from "../../submissions/reading/find-original.ts";
import { defineRoute } from "../route.ts";
import { AssetParams } from "./schemas.ts";

export const readOriginal = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/original",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readOriginal",
  tag: "Results",
  summary: "Download the file that was analysed",
  description:
    "Redirects to a signed address that is valid for five minutes and downloads the file under its own name.",
  params: AssetParams,
  responses: { 302: { description: "The address is in `Location`.", schema: null } },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    const ids = { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
    return { status: 302, headers: { location: await signOriginal(app, ids) } };
  },
});
