import { Readable } from "node:stream";
import { readFrame as read } from "../../submissions/issues/issue-frames.ts";
import { defineRoute } from "../route.ts";
import { IssueParams } from "./schemas.ts";

export const readFrame = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/issues/:issue_id/frame",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readIssueFrame",
  tag: "Results",
  summary: "See the frame of an issue",
  description:
    "A JPEG of the picture where the issue is, at most 1,280 pixels on its longer side: the frame in the middle of its time, the page of a PDF, or the image. `location.region` of the issue says where to look; nothing is drawn on the frame. It never changes: cache it. 404 `frame_not_found` where an issue has no place in a picture; of an asset with very many issues, the most severe ones have frames.",
  params: IssueParams,
  responses: {
    200: { description: "The frame. `ETag` identifies it.", contentType: "image/jpeg" },
    304: { description: "The frame that `If-None-Match` names.", schema: null },
  },
  failures: ["not_found", "asset_not_finished", "asset_failed", "frame_not_found"],
  async handler({ app, caller, params, request }) {
    const { frameId, jpeg } = await read(app, {
      workspaceId: caller.workspaceId,
      submissionId: params.submission_id,
      assetId: params.asset_id,
      issueId: params.issue_id,
    });
    const etag = `"${frameId}"`;
    const headers = { etag, "cache-control": "private, max-age=31536000, immutable" };
    const known = request.headers["if-none-match"]?.split(",").map((value) => value.trim().replace(/^W\//, ""));
    if (known?.includes(etag)) return { status: 304, headers };
    const length = { "content-length": String(jpeg.length) };
    return { status: 200, headers: { ...headers, ...length }, stream: Readable.from([jpeg]) };
  },
});
