// node submit-and-wait.mjs ad.mp4
// GREENLIT_URL and GREENLIT_API_KEY say where the service is and who asks.
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { createGreenlit } from "@greenlit/sdk";

const path = process.argv[2];
const greenlit = createGreenlit({ baseUrl: process.env.GREENLIT_URL, apiKey: process.env.GREENLIT_API_KEY });

const { blobPath } = await greenlit.upload(await openAsBlob(path), {
  filename: basename(path),
  onProgress: ({ sentBytes, totalBytes }) => console.error(`${sentBytes} of ${totalBytes} bytes`),
});
const { submissionId } = await greenlit.submissions.create({
  assets: [{ blobPath }],
  metadata: { jurisdictions: ["UK"], channel: "online" },
});
const submission = await greenlit.submissions.waitUntilDone(submissionId, {
  onMessage: ({ event, data }) => {
    if (event === "asset.issue") console.error("found", data.issue.severity, data.issue.summary);
  },
});

for (const asset of submission.assets) {
  if (asset.status === "failed") {
    console.log(asset.filename, "could not be checked:", asset.errorMessage);
    continue;
  }
  for await (const issue of greenlit.assets.issues(submissionId, asset.assetId))
    console.log(asset.filename, issue.severity, issue.ruleCode, issue.summary, "→", issue.recommendation);
}
console.log(submission.status);
