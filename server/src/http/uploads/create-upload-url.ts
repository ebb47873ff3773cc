import { Type } from "typebox";
import { issueUploadUrl } from "../../uploads/issue-upload-url.ts";
import { defineRoute } from "../route.ts";
import { Body, Timestamp } from "../schemas.ts";
import { allowedTypesText } from "./allowed-types.ts";

export const UploadUrl = Type.Object(
  {
    uploadUrl: Type.String({
      format: "uri",
      description: "Presigned; anyone who has it can upload until it expires.",
    }),
    blobPath: Type.String({ description: "`<workspace_id>/<filename>`." }),
    expiresAt: Timestamp,
  },
  { title: "UploadUrl" },
);

export const uploadUrlExample = {
  uploadUrl:
    "http://127.0.0.1:8081/greenlit/media/ws_k3v5x2m7q4a6b2c3/019a8c3e5f707c21?sv=2021-08-06&sr=b&sp=cw&se=2026-11-15T10%3A30%3A00Z&sig=q0ZrT2x",
  blobPath: "ws_k3v5x2m7q4a6b2c3/spring-ad.mp4",
  expiresAt: "2026-11-15T10:30:00.000Z",
};

export const createUploadUrl = defineRoute({
  method: "POST",
  path: "/uploads/url",
  bucket: "upload",
  role: "reviewer",
  operationId: "createUploadUrl",
  tag: "Uploads",
  summary: "Get a presigned URL to upload a file of any size",
  description: `Then PUT the bytes to \`uploadUrl\` with the header \`x-ms-blob-type: BlockBlob\` and without X-API-Key; Azure Blob clients may upload in blocks. The URL expires after one hour. The answer's \`blobPath\` goes into a submission. Uploading a filename again never changes what was already submitted.\n\n${allowedTypesText}`,
  body: Body(
    {
      filename: Type.String({
        minLength: 1,
        description: "One plain path segment; its extension must fit the content type.",
        examples: ["spring-ad.mp4"],
      }),
      contentType: Type.String({
        minLength: 1,
        description: "The MIME type of the file, one of the allowlist.",
        examples: ["video/mp4"],
      }),
    },
    { title: "UploadUrlRequest" },
  ),
  nulCheckedIn: ["/filename"],
  bodyExample: { filename: "spring-ad.mp4", contentType: "video/mp4" },
  responses: {
    200: {
      description: "Where to put the bytes, and the path they will have.",
      schema: UploadUrl,
      example: uploadUrlExample,
    },
  },
  failures: ["invalid_filename", "content_type_not_allowed"],
  async handler({ app, caller, body }) {
    const { uploadUrl, blobPath, expiresAt } = await issueUploadUrl(app, { ...body, workspaceId: caller.workspaceId });
    return { status: 200, body: { uploadUrl, blobPath, expiresAt: expiresAt.toISOString() } };
  },
});
