import { Type } from "typebox";
import { renewUploadUrl as renew } from "../../uploads/renew-upload-url.ts";
import { defineRoute } from "../route.ts";
import { Body } from "../schemas.ts";
import { UploadUrl, uploadUrlExample } from "./create-upload-url.ts";

export const renewUploadUrl = defineRoute({
  method: "POST",
  path: "/uploads/url/renew",
  bucket: "upload",
  role: "reviewer",
  operationId: "renewUploadUrl",
  tag: "Uploads",
  summary: "Renew a presigned URL for an upload that takes longer",
  description:
    "A fresh signature for the same object, for another hour, before or after the first one has expired. Blocks that were staged stay. Not once a submission has taken the upload.",
  body: Body(
    {
      blobPath: Type.String({ minLength: 1, maxLength: 1000, description: "As the first answer gave it." }),
      uploadUrl: Type.String({
        minLength: 1,
        maxLength: 4000,
        description: "As the first answer, or the last renewal, gave it.",
      }),
    },
    { title: "UploadUrlRenewal" },
  ),
  nulCheckedIn: ["/blobPath"],
  bodyExample: { blobPath: uploadUrlExample.blobPath, uploadUrl: uploadUrlExample.uploadUrl },
  responses: { 200: { description: "Where to go on.", schema: UploadUrl, example: uploadUrlExample } },
  failures: ["invalid_blob_path"],
  async handler({ app, caller, body }) {
    const { uploadUrl, blobPath, expiresAt } = await renew(app, { ...body, workspaceId: caller.workspaceId });
    return { status: 200, body: { uploadUrl, blobPath, expiresAt: expiresAt.toISOString() } };
  },
});
