import type { Finding } from "@greenlit/engine/finding.ts";
import type { Kysely } from "kysely";
import type { App } from "../app.ts";
import { severities, type Severity, type Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { recordEvent } from "../webhooks/record-event.ts";
import { carryOver } from "./carry-over.ts";
import { endHold } from "./credits.ts";
import { takeReferenceNumbers } from "./reference-numbers.ts";
import { changeSubmission, type Asset } from "./settle.ts";
import { nextStatus } from "./state.ts";
import { compactIssue, initialStatus } from "./issue.ts";
import { completedData, realtimeData } from "./webhook-data.ts";

export type AnalysisResult = {
  findings: Finding[];
  measurements: Record<string, unknown>;
  /** What the rules were told about the asset; a review decision is carried over only while it stays the same. */
  context: Record<string, unknown>;
};

/**
 * Issues, status, event, deliveries and notifications in one transaction. False when another worker has taken the asset
 * over meanwhile: then this result is not the asset's.
 */
export async function recordAnalysis(
  app: App,
  options: { submissionId: string; workspaceId: string; assetId: string; run: number; result: AnalysisResult },
): Promise<boolean> {
  const { workspaceId, assetId, run, result } = options;
  const recorded = await changeSubmission(app, options, async (trx, submission, tell) => {
    const before = await trx
      .selectFrom("assets")
      .selectAll()
      .where("assetId", "=", assetId)
      .where("workspaceId", "=", workspaceId)
      .where("run", "=", run)
      .executeTakeFirst();
    const status = before && nextStatus(before.status, "complete");
    if (!status) return undefined;

    const now = app.now();
    const issues = await insertIssues(trx, { asset: before, result, now });
    await trx
      .insertInto("assetResults")
      .values({
        assetId,
        workspaceId,
        measurements: JSON.stringify(result.measurements),
        context: JSON.stringify(result.context),
      })
      .onConflict((conflict) =>
        conflict.column("assetId").doUpdateSet((set) => ({
          measurements: set.ref("excluded.measurements"),
          context: set.ref("excluded.context"),
        })),
      )
      .execute();
    await endHold(trx, { ...before, isTaken: true });
    const asset = await trx
      .updateTable("assets")
      .set({ status, issueCount: issues.length, progressPercent: 100, completedAt: now })
      .where("assetId", "=", assetId)
      .where("workspaceId", "=", workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow();

    const severityCounts = countSeverities(issues.map(({ severity }) => severity));
    const data = completedData({ submission, asset, severityCounts, livemode: true });
    await recordEvent(trx, { ...options, type: "asset.processing.completed", data, now });
    for (const issue of issues) tell("asset.issue", { assetId, issue: compactIssue(issue) });
    tell("asset.completed", realtimeData(data));
    return true;
  });
  return recorded ?? false;
}

async function insertIssues(
  trx: Kysely<Tables>,
  { asset, result, now }: { asset: Asset; result: AnalysisResult; now: Date },
) {
  const findings = withDistinctFingerprints(result.findings);
  if (findings.length === 0) return [];
  const { assetId, workspaceId } = asset;
  const numbers = await takeReferenceNumbers(trx, {
    asset,
    fingerprints: findings.map(({ fingerprint }) => fingerprint),
  });
  const decisions = await carryOver(trx, { asset, findings, context: result.context });
  const rows = findings.map((finding, position) => {
    const { fingerprint, ruleCode, severity, sidekickId } = finding;
    return {
      issueId: uuidv7(now.getTime()),
      assetId,
      workspaceId,
      position,
      referenceNumber: numbers.get(fingerprint) ?? 0,
      fingerprint,
      ruleCode,
      severity,
      sidekickId,
      finding: JSON.stringify(finding),
      ...(decisions.get(fingerprint) ?? { status: initialStatus(finding), reopened: false, earlierIssueId: null }),
      createdAt: now,
      updatedAt: now,
    };
  });
  const inserted = [];
  for (let first = 0; first < rows.length; first += 500)
    inserted.push(
      ...(await trx
        .insertInto("issues")
        .values(rows.slice(first, first + 500))
        .returningAll()
        .execute()),
    );
  return inserted;
}

/** Two findings of one fingerprint could not be told apart in the next version. */
function withDistinctFingerprints(findings: readonly Finding[]): Finding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const count = (seen.get(finding.fingerprint) ?? 0) + 1;
    seen.set(finding.fingerprint, count);
    return count === 1 ? finding : { ...finding, fingerprint: `${finding.fingerprint}-${count}` };
  });
}

function countSeverities(found: readonly Severity[]): Record<Severity, number> {
  const counts = Object.fromEntries(severities.map((severity) => [severity, 0])) as Record<Severity, number>;
  for (const severity of found) counts[severity]++;
  return counts;
}
