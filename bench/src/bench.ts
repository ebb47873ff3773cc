import { runByName } from "./entry.ts";
import { benchEngine } from "./engine/bench-engine.ts";
import { benchHttp } from "./http/bench-http.ts";
import { benchReading } from "./reading/bench-reading.ts";
import { benchRejudge } from "./rejudge/bench-rejudge.ts";
import { benchReviews } from "./reviews/bench-reviews.ts";
import { benchRules } from "./rules/bench-rules.ts";
import { benchScale } from "./scale/soak-scale.ts";
import { benchSmall } from "./small/bench-small.ts";
import { benchSubmissions } from "./submissions/bench-submissions.ts";
import { benchUpload } from "./upload/bench-upload.ts";
import { benchPrint } from "./verify/bench-print.ts";
import { benchVerify } from "./verify/bench-verify.ts";
import { benchWebhooks } from "./webhooks/bench-webhooks.ts";

await runByName("bench", {
  http: benchHttp,
  upload: benchUpload,
  verify: benchVerify,
  print: benchPrint,
  rules: benchRules,
  reading: benchReading,
  rejudge: benchRejudge,
  reviews: benchReviews,
  scale: benchScale,
  small: benchSmall,
  submissions: benchSubmissions,
  webhooks: benchWebhooks,
  engine: benchEngine,
});
