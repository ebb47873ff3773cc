import { readLimits } from "./account/read-limits.ts";
import { consoleRoutes } from "./people/console-routes.ts";
import { createRealtimeToken } from "./realtime/create-token.ts";
import { openChannel } from "./realtime/open-channel.ts";
import { exportAudit, listAudit } from "./audit/audit-routes.ts";
import { certificateRoutes } from "./certificates/certificate-routes.ts";
import { listCertificates } from "./certificates/list-certificates.ts";
import { evidenceRoutes } from "./evidence/evidence-routes.ts";
import { marketRoutes } from "./markets/market-routes.ts";
import { readUpcoming } from "./rejudge/read-upcoming.ts";
import { rejudgeRoutes } from "./rejudge/rejudge-routes.ts";
import { renditionRoutes } from "./renditions/rendition-routes.ts";
import { reviewRoutes } from "./review/review-table.ts";
import type { Route } from "./route.ts";
import { fireEvents } from "./sandbox/fire-events.ts";
import { listRules, listSidekicks } from "./sidekicks/sidekicks.ts";
import { createSubmission } from "./submissions/create-submission.ts";
import { deleteSubmission } from "./submissions/delete-submission.ts";
import { changeIssueStatus, readIssue } from "./submissions/issue-status.ts";
import { listSubmissions } from "./submissions/list-submissions.ts";
import { readAsset } from "./submissions/read-asset.ts";
import { readFrame } from "./submissions/read-frame.ts";
import { readIssues } from "./submissions/read-issues.ts";
import { readMeasurements } from "./submissions/read-measurements.ts";
import { readOriginal } from "./submissions/read-original.ts";
import { readSubmission } from "./submissions/read-submission.ts";
import { readTopics } from "./submissions/read-topics.ts";
import { readTranscript } from "./submissions/read-transcript.ts";
import { readSecondReadings } from "./submissions/second-readings.ts";
import { readDiff, readVersions } from "./submissions/read-versions.ts";
import { retryAsset } from "./submissions/retry-asset.ts";
import { searchAsset } from "./submissions/search-asset.ts";
import { createUploadUrl } from "./uploads/create-upload-url.ts";
import { renewUploadUrl } from "./uploads/renew-upload-url.ts";
import { uploadDirectly } from "./uploads/upload-directly.ts";
import { webhookRoutes } from "./webhooks/webhook-routes.ts";

/** The API at a glance, as keys and people call it. */
export const routes: readonly Route[] = [
  createUploadUrl,
  renewUploadUrl,
  uploadDirectly,
  createSubmission,
  listSubmissions,
  readSubmission,
  deleteSubmission,
  retryAsset,
  readVersions,
  readAsset,
  readIssues,
  readIssue,
  readFrame,
  changeIssueStatus,
  readTopics,
  readDiff,
  readMeasurements,
  readTranscript,
  readSecondReadings,
  searchAsset,
  readOriginal,
  ...renditionRoutes,
  ...evidenceRoutes,
  ...rejudgeRoutes,
  readUpcoming,
  ...marketRoutes,
  listSidekicks,
  listRules,
  fireEvents,
  ...reviewRoutes,
  listCertificates,
  ...certificateRoutes,
  listAudit,
  exportAudit,
  ...webhookRoutes,
  openChannel,
  createRealtimeToken,
  readLimits,
];

/** Those of the API, and those that only signed-in people call. */
export const allRoutes: readonly Route[] = [...routes, ...consoleRoutes];
