import { runByName } from "./entry.ts";
import { benchHttp } from "./http/bench-http.ts";
import { benchSubmissions } from "./submissions/bench-submissions.ts";
import { benchUpload } from "./upload/bench-upload.ts";
import { benchWebhooks } from "./webhooks/bench-webhooks.ts";

await runByName("bench", {
  http: benchHttp,
  upload: benchUpload,
  submissions: benchSubmissions,
  webhooks: benchWebhooks,
});
