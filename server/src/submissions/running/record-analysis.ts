import type { EvidenceFrame } from "@greenlit/engine/evidence/frames/frames.ts";
import type { Finding } from "@greenlit/engine/finding.ts";
import type { Kysely } from "kysely";
import type { App } from "../../app.ts";
import { severities, type Severity, type Tables } from "../../db/tables.ts";
import type { StoredEvidence } from "../../evidence/store-evidence.ts";
import { closeHold } from "./credits.ts";
import type { TakenJob } from "../../queue/queue.ts";
import type { ReviewFacts } from "../../review/open-review.ts";
import { compactIssue, type IssueRow } from "../issues/issue.ts";
import { keepFrames } from "../issues/issue-frames.ts";
import { insertIssues, makeIssues, withDistinctFingerprints } from "../issues/make-issues.ts";
import { changeSubmission, type Change } from "./change-submission.ts";
import { nextStatus } from "../state.ts";
import { findCurrentRun, readSnapshot, type SubmissionSnapshot } from "./submission-snapshot.ts";
import { completedData, realtimeData } from "./webhook-data.ts";

export type AnalysisResult = {
  findings: readonly Finding[];
  measurements: Record<string, unknown>;
  frames?: readonly EvidenceFrame[];
  /** Left out: none is kept of this asset. */
  evidence?: StoredEvidence | undefined;
  print?: StoredEvidence | undefined;
  /** The context that the rules used; a review decision is carried over only while it stays the same. */
  context: Record<string, unknown>;
};

/**
 * Issues, status, event, deliveries and notifications in one transaction. False when another worker has taken the asset
 * over meanwhile: then this result is not the asset's.
 */
export async function recordAnalysis(
  app: App,
  options: {
    submissionId: string;
    workspaceId: string;
    assetId: string;
    run: number;
    /** Of the bytes that were analysed. */
    sha256?: string;
    result: AnalysisResult;
    /** The submission as the worker knows it, when nothing but its status is needed. */
    seen?: SubmissionSnapshot | undefined;
    /** Issues that the realtime channel has sent already: their ids by their fingerprints. */
    told?: ReadonlyMap<string, string>;
    /** The worker's job, which the result completes. */
    taken?: TakenJob | undefined;
  },
): Promise<boolean> {
  const { findings, frames = [] } = options.result;
  // Without issues and credits the change is all there is to write, and one statement is a transaction by itself.
  if (options.seen && findings.length === 0 && frames.length === 0) return record(app, app.db, options);
  return app.db.transaction().execute((trx) => record(app, trx, options));
}

async function record(app: App, trx: Kysely<Tables>, options: Parameters<typeof recordAnalysis>[1]): Promise<boolean> {
  const { submissionId, workspaceId, assetId, result, taken, told = new Map<string, string>() } = options;
  const seen = options.seen ?? (await readSnapshot(trx, options));
  const asset = seen && findCurrentRun(seen, options);
  if (!asset) return false;
  const { measurements, context, frames = [] } = result;
  const findings = withDistinctFingerprints(result.findings);
  const issues = await makeIssues(trx, { asset, findings, context, knownIds: told, now: app.now() });
  const untold = issues.filter(({ fingerprint }) => !told.has(fingerprint)).map(compactIssue);
  const severityCounts = countSeverities(issues.map(({ severity }) => severity));

  const decide = (state: SubmissionSnapshot, now: Date): Change | undefined => {
    const before = findCurrentRun(state, options);
    const status = before && nextStatus(before.status, "complete");
    if (!status) return undefined;
    const sha256 = options.sha256 ?? before.sha256;
    const after = { ...before, status, sha256, issueCount: issues.length, progressPercent: 100, completedAt: now };
    const data = completedData({ submission: state.submission, asset: after, severityCounts, livemode: true });
    return {
      assets: [after],
      results: [{ assetId, measurements, context, evidence: result.evidence ?? null, print: result.print ?? null }],
      review: reviewFacts(issues, context),
      event: { assetId, type: "asset.processing.completed", data },
      messages: [
        ...untold.map((issue) => ({ event: "asset.issue" as const, data: { assetId, issue } })),
        { event: "asset.completed", data: realtimeData(data) },
      ],
    };
  };
  if (!(await changeSubmission(app, { submissionId, workspaceId, trx, seen, taken, decide }))) return false;
  await insertIssues(trx, issues);
  await keepFrames(trx, { assetId, workspaceId, frames, now: app.now() });
  await closeHold(trx, { ...asset, outcome: "taken" });
  return true;
}

function reviewFacts(issues: readonly IssueRow[], context: Record<string, unknown>): ReviewFacts {
  const open = issues.filter(({ status }) => status !== "RESOLVED" && status !== "DISMISSED");
  const { jurisdictions } = context;
  return {
    markets: Array.isArray(jurisdictions) ? jurisdictions.map(String) : [],
    openCounts: countSeverities(open.map(({ severity }) => severity)),
    undecidedCount: issues.filter(({ status }) => status === "OPEN" || status === "AWAITING_HUMAN_INPUT").length,
  };
}

function countSeverities(found: readonly Severity[]): Record<Severity, number> {
  const counts = Object.fromEntries(severities.map((severity) => [severity, 0])) as Record<Severity, number>;
  for (const severity of found) counts[severity]++;
  return counts;
}
