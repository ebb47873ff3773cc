import { Type } from "typebox";
import { readSinglePart } from "../../uploads/multipart.ts";
import { directUploadMaxBytes } from "@greenlit/engine/media-types/media-types.ts";
import { declareReceivedFile } from "../../uploads/record-upload.ts";
import { storeDirectly } from "../../uploads/store-directly.ts";
import { untilTooSlow } from "../../upload-pace.ts";
import { Failure } from "../../failure.ts";
import type { App } from "../../app.ts";
import { holderOf } from "../../realtime/holder.ts";
import { defineRoute } from "../route.ts";
import { allowedTypesText } from "./allowed-types.ts";

const retryAfterSeconds = 5;

export const uploadDirectly = defineRoute({
  method: "POST",
  path: "/uploads/direct",
  bucket: "upload",
  role: "reviewer",
  operationId: "uploadDirectly",
  tag: "Uploads",
  summary: "Upload a file of up to 10 MB in one request",
  description: `A form with exactly one part, a file named \`file\`. The part's Content-Type declares the type; where it is missing or \`application/octet-stream\`, the extension does. The bytes must match it. Larger files go by a presigned URL.\n\n${allowedTypesText}`,
  bodyType: "multipart/form-data",
  body: Type.Object(
    {
      file: Type.String({
        format: "binary",
        description: "The file, with its filename and, if it is known, its Content-Type.",
      }),
    },
    { title: "DirectUploadRequest" },
  ),
  bodyExample: { file: "the bytes of label.png" },
  responses: {
    201: {
      description: "The file is stored.",
      schema: Type.Object(
        {
          blobPath: Type.String({ description: "`<workspace_id>/<filename>`." }),
          sizeBytes: Type.Integer(),
          contentType: Type.String(),
        },
        { title: "DirectUpload" },
      ),
      example: { blobPath: "ws_k3v5x2m7q4a6b2c3/label.png", sizeBytes: 48213, contentType: "image/png" },
    },
  },
  failures: [
    "invalid_filename",
    "file_too_large",
    "content_type_not_allowed",
    "content_does_not_match_type",
    "insufficient_storage",
  ],
  async handler({ app, caller, request }) {
    using _open = admitUpload(app, holderOf(caller));
    const slow = untilTooSlow(request.raw, app.uploadPace, (message) => new Failure("request_timeout", message));
    const storing = readSinglePart(
      { headers: request.headers, raw: request.raw },
      async ({ filename, contentType, body }) =>
        storeDirectly(app, {
          workspaceId: caller.workspaceId,
          file: declareReceivedFile({ filename, contentType }),
          body,
        }),
      { maxBytes: directUploadMaxBytes },
    );
    return { status: 201, body: await Promise.race([storing, slow]) };
  },
});

function admitUpload(app: App, holder: string): Disposable {
  const admitted = app.openUploads.admit(holder);
  if (admitted) return admitted;
  throw new Failure(
    "rate_limited",
    `This key has ${app.config.uploadsPerKey} uploads open, which is the maximum (GREENLIT_UPLOADS_PER_KEY). Finish some, or try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
