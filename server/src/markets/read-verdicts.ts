import { coverageOf } from "@greenlit/engine/markets/coverage.ts";
import { conditionsOf, rankFixes, verdictOf, type MarketFinding } from "@greenlit/engine/markets/verdict.ts";
import type { MediaKind } from "@greenlit/engine/evidence/probe/probe-shape.ts";
import { findMediaType } from "@greenlit/engine/media-types/media-types.ts";
import type { JudgementResult } from "@greenlit/engine/kept/judge-pool.ts";
import type { App } from "../app.ts";
import type { IssueStatus } from "../db/tables.ts";
import { findEvidence, readEvidence } from "../evidence/read-evidence.ts";
import { reviewersId } from "../review/report-issue.ts";
import { secondReaderId } from "../second-reader/second-reader.ts";
import { chooseMarkets, readOwnMarkets } from "./choose-markets.ts";
import { topicsOf } from "./market-topics.ts";
import { withDistinctFingerprints } from "../submissions/issues/make-issues.ts";
import type { AssetIds } from "../submissions/reading/read-asset.ts";
import { submissionNotFound } from "../submissions/reading/read-submission.ts";

/** What each market would say about the asset, by the rules and the decisions of today. */
export async function readVerdicts(
  app: App,
  ids: AssetIds,
  { names, hasFindings }: { names: readonly string[] | undefined; hasFindings: boolean },
) {
  const markets = names ? chooseMarkets(app.markets, names) : await readOwnMarkets(app, ids.workspaceId);
  const { asset, context, evidence } = await findEvidence(app, ids);
  const submission = await app.db
    .selectFrom("submissions")
    .select("sidekickIds")
    .where("submissionId", "=", asset.submissionId)
    .where("workspaceId", "=", ids.workspaceId)
    // A deletion may come between the two.
    .executeTakeFirstOrThrow(submissionNotFound);
  const today = app.now().toISOString().slice(0, 10);
  const { sidekickIds } = submission;
  const judgements = markets.map((market) => ({
    sidekickIds,
    context: { ...context, ...market.context },
    today,
  }));
  const results = await app.judges.judge(await readEvidence(app, evidence), judgements);
  const { statuses, reported } = await readDecisions(app, ids);
  const sidekicks = app.sidekicks.filter(({ sidekickId }) => sidekickIds.includes(sidekickId));
  const conditions = new Map(
    sidekicks.flatMap(({ rules }) => rules.map((rule) => [rule.code, rule.conditions ?? []] as const)),
  );
  const mediaKind: MediaKind = findMediaType(asset.contentType).category;

  const judged = markets.map((market, index) => {
    const result: JudgementResult | undefined = results[index];
    const byRules = withDistinctFingerprints(result?.findings ?? []).map((finding): MarketFinding => {
      const status = statuses.get(finding.fingerprint);
      const isOpen = status !== "RESOLVED" && status !== "DISMISSED";
      return { ...finding, isOpen, conditions: conditions.get(finding.ruleCode) ?? [] };
    });
    const unjudgedRules = result?.unjudgedRules ?? [];
    const coverage = coverageOf(market, { sidekicks, mediaKind, today, unjudgedRules: new Set(unjudgedRules) });
    // What a person found is true in every market.
    return { market, findings: [...byRules, ...reported], coverage, unjudgedRules };
  });
  const named = judged.map(({ market, findings }) => ({ market: market.market, findings }));
  return {
    submissionId: asset.submissionId,
    assetId: asset.assetId,
    markets: judged.map(({ market, findings, coverage, unjudgedRules }) => ({
      market: market.market,
      name: market.name,
      verdict: verdictOf(findings, coverage),
      conditions: conditionsOf(findings),
      coverage,
      unjudgedRules,
      findings: (hasFindings ? findings : []).map((finding) => ({
        fingerprint: finding.fingerprint,
        ruleCode: finding.ruleCode,
        severity: finding.severity,
        summary: finding.summary,
        needsHuman: finding.needsHuman,
        isOpen: finding.isOpen,
        status: statuses.get(finding.fingerprint) ?? null,
        conditions: [...finding.conditions],
      })),
    })),
    fixes: rankFixes(named),
    topics: topicsOf(named),
  };
}

/** Decisions by fingerprint, and what people and the second reader found. */
async function readDecisions(
  app: App,
  { workspaceId, assetId }: AssetIds,
): Promise<{ statuses: Map<string, IssueStatus>; reported: MarketFinding[] }> {
  const issues = await app.db
    .selectFrom("issues")
    .select(["fingerprint", "status", "sidekickId", "finding"])
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .orderBy("position")
    .execute();
  return {
    statuses: new Map(issues.map(({ fingerprint, status }) => [fingerprint, status])),
    reported: issues
      .filter(({ sidekickId }) => sidekickId === reviewersId || sidekickId === secondReaderId)
      .map(({ finding, status }) => ({
        ...(finding as MarketFinding),
        isOpen: status !== "RESOLVED" && status !== "DISMISSED",
        conditions: [],
      })),
  };
}
