import { availableParallelism } from "node:os";
import type { Finding, Severity } from "@greenlit/engine/finding.ts";
import { openJudgePool, type JudgePool } from "@greenlit/engine/kept/judge-pool.ts";
import { loadPacks } from "@greenlit/engine/rules/load-packs.ts";
import type { Greenlit } from "@greenlit/sdk/src/client.ts";
import { ApiError } from "@greenlit/sdk/src/errors.ts";
import { diffFindings } from "@greenlit/server/rejudge/diff-findings.ts";
import { withDistinctFingerprints } from "@greenlit/server/submissions/issues/make-issues.ts";
import { createProgressBar } from "../check/progress-bar.ts";
import { print } from "../print.ts";
import { describeCounts, describeRules, type RuleChanges } from "../rejudge/run-rejudge.ts";
import { parseTime } from "../rejudge/time-option.ts";
import { connect, type ServiceOptions } from "../submit/service-options.ts";

export type BacktestCommand = ServiceOptions & { since: string; json?: boolean };

type Asset = { submissionId: string; assetId: string; filename: string };

const atOnce = 8;
const samplesEach = 3;

/** What packs that nobody has installed yet would have said about the assets of a workspace. */
export async function backtest(folder: string, options: BacktestCommand): Promise<void> {
  const greenlit = connect(options);
  const since = parseTime(options.since, "--since");
  const sidekicks = (await loadPacks([folder])).map(({ sidekick }) => sidekick);
  const packIds = new Set(sidekicks.map(({ sidekickId }) => sidekickId));
  await using judges = openJudgePool({ sidekicks, size: availableParallelism() });
  const assets = await findAssets(greenlit, since);
  const rules = new Map<string, RuleChanges>();
  const counts = { judged: 0, changed: 0, skipped: 0 };
  const bar = createProgressBar({ isShown: process.stderr.isTTY && !options.json, total: 1 });
  const draw = bar.next("judging");
  for (let start = 0; start < assets.length; start += atOnce) {
    const some = assets.slice(start, start + atOnce);
    const found = await Promise.all(some.map((asset) => judgeAsset(greenlit, { asset, judges, packIds })));
    for (const [index, changes] of found.entries()) {
      if (changes === undefined) counts.skipped += 1;
      else {
        counts.judged += 1;
        if (changes.length > 0) counts.changed += 1;
        for (const change of changes) addChange(rules, { ...change, filename: some[index]?.filename ?? "" });
      }
    }
    draw((start + some.length) / assets.length);
  }
  bar.clear();
  const sizeOf = (rule: RuleChanges) => rule.new + rule.gone + rule.changed;
  const changed = [...rules.values()].toSorted((a, b) => sizeOf(b) - sizeOf(a));
  print(options, { since, ...counts, rules: changed }, [
    ...describeRules(changed),
    describeCounts({ ...counts, verb: "would change" }),
    ...(counts.skipped > 0 ? [`${counts.skipped} were not judged: no evidence is kept of them.`] : []),
  ]);
}

async function findAssets(greenlit: Greenlit, since: string): Promise<Asset[]> {
  const assets: Asset[] = [];
  for await (const { submissionId, createdAt, assets: own } of greenlit.submissions.list()) {
    if (createdAt < since) break;
    for (const { assetId, filename, status } of own)
      if (status === "complete") assets.push({ submissionId, assetId, filename });
  }
  return assets;
}

/** Undefined: no evidence is kept of it. */
async function judgeAsset(
  greenlit: Greenlit,
  { asset, judges, packIds }: { asset: Asset; judges: JudgePool; packIds: ReadonlySet<string> },
) {
  const params = { submission_id: asset.submissionId, asset_id: asset.assetId };
  try {
    const { context } = await greenlit.call("readEvidence", { params });
    const content = await greenlit.call("downloadEvidence", { params });
    const bytes = new Uint8Array(await content.arrayBuffer());
    const today = new Date().toISOString().slice(0, 10);
    const [result] = await judges.judge(bytes, [{ sidekickIds: null, context, today }]);
    const issues = await greenlit.assets.issues(asset.submissionId, asset.assetId).all();
    const findings = withDistinctFingerprints(result?.findings ?? []);
    const known = new Map(findings.map((finding) => [finding.fingerprint, finding]));
    const before = issues.filter(({ sidekickId }) => packIds.has(sidekickId)) as unknown as Issue[];
    return diffFindings(
      before.map((issue) => ({
        ...issue,
        needsHuman: neededHuman(issue) ?? known.get(issue.fingerprint)?.needsHuman ?? false,
      })),
      findings,
    );
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

type Issue = Finding & { status: string; reopened: boolean };

/** An issue tells it by its first status; once somebody has decided, nothing tells it any more: undefined. */
function neededHuman({ status, reopened }: Issue): boolean | undefined {
  if (status === "AWAITING_HUMAN_INPUT") return true;
  return status === "OPEN" && !reopened ? false : undefined;
}

function addChange(
  rules: Map<string, RuleChanges>,
  change: { ruleCode: string; change: "new" | "gone" | "changed"; filename: string; summary: string } & {
    severityAfter: Severity | null;
  },
): void {
  const { ruleCode, filename, summary } = change;
  const rule = rules.get(ruleCode) ?? { ruleCode, new: 0, gone: 0, changed: 0, samples: [] };
  rule[change.change] += 1;
  if (rule.samples.length < samplesEach) rule.samples.push({ change: change.change, filename, summary });
  rules.set(ruleCode, rule);
}
