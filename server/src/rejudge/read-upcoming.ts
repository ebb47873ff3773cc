import type { Rule, Sidekick } from "@greenlit/engine/sidekick.ts";
import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Severity } from "../db/tables.ts";
import { readEvidence, storedEvidenceOf } from "../evidence/read-evidence.ts";
import { isStoreError } from "../storage/store.ts";
import type { Caller } from "../workspaces/caller.ts";
import { assetsOf } from "./start-rejudge.ts";

const batchSize = 64;
/** Newest first: what is older has seldom still to be shown. */
const maxAssets = 2000;
const maxListed = 100;
/** To count them all would take longer than a request may, where there are millions. */
const maxCounted = 10_000;

type BrokenBy = { submissionId: string; assetId: string; filename: string; severity: Severity; summary: string };

/** Rules that come into force later, and the assets that will break them on that day. */
export async function readUpcoming(app: App, { caller }: { caller: Caller }) {
  const today = app.now().toISOString().slice(0, 10);
  const rules = app.sidekicks.flatMap((sidekick) =>
    sidekick.rules.flatMap((rule) => (rule.from !== null && rule.from > today ? [{ sidekick, rule }] : [])),
  );
  const broken = new Map<string, BrokenBy[]>(rules.map(({ rule }) => [rule.code, []]));
  const { assetCount, judgedCount } = await judgeAll(app, { caller, rules, broken });
  return {
    today,
    data: rules
      .toSorted((a, b) => ((a.rule.from ?? "") < (b.rule.from ?? "") ? -1 : 1))
      .map(({ sidekick, rule }) => ({
        ruleCode: rule.code,
        summary: rule.summary,
        severity: rule.severity,
        from: rule.from ?? "",
        sidekickId: sidekick.sidekickId,
        citation: rule.citation,
        assetCount: broken.get(rule.code)?.length ?? 0,
        assets: (broken.get(rule.code) ?? []).slice(0, maxListed),
      })),
    assetCount,
    judgedCount,
  };
}

type Row = {
  assetId: string;
  submissionId: string;
  filename: string;
  context: Record<string, unknown>;
  sidekickIds: string[];
  evidenceKey: string;
  evidenceEtag: string;
  evidenceSha256: string;
  evidenceSizeBytes: number;
};

async function judgeAll(
  app: App,
  options: { caller: Caller; rules: { sidekick: Sidekick; rule: Rule }[]; broken: Map<string, BrokenBy[]> },
): Promise<{ assetCount: number; judgedCount: number }> {
  const { caller, rules, broken } = options;
  const assets = assetsOf({ workspaceId: caller.workspaceId, mode: caller.mode, filter: {} });
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::integer as count from (select 1 ${assets} limit ${maxCounted}) counted`.execute(app.db);
  const assetCount = counted[0]?.count ?? 0;
  let judgedCount = 0;
  const days = Map.groupBy(rules, ({ rule }) => rule.from ?? "");
  for (let before: string | null = null; rules.length > 0 && judgedCount < maxAssets;) {
    const { rows }: { rows: Row[] } = await sql<Row>`
      select asset_id, submission_id, filename, asset_results.context, sidekick_ids, evidence_key, evidence_etag,
          evidence_sha256, evidence_size_bytes ${assets}
          and evidence_key is not null and (${before}::uuid is null or asset_id < ${before}::uuid)
        order by asset_id desc limit ${batchSize}`.execute(app.db);
    const found = await Promise.all(rows.map((row) => judgeOne(app, { row, days })));
    for (const { ruleCode, ...by } of found.flatMap((one) => one ?? [])) broken.get(ruleCode)?.push(by);
    judgedCount += found.filter((one) => one !== undefined).length;
    before = rows.at(-1)?.assetId ?? null;
    if (rows.length < batchSize) break;
  }
  return { assetCount, judgedCount };
}

/** Undefined: nothing is kept of it any more. */
async function judgeOne(
  app: App,
  { row, days }: { row: Row; days: Map<string, { sidekick: Sidekick; rule: Rule }[]> },
): Promise<(BrokenBy & { ruleCode: string })[] | undefined> {
  const evidence = storedEvidenceOf(row);
  if (!evidence) return undefined;
  try {
    const judgements = [...days].map(([today, rules]) => ({
      sidekickIds: row.sidekickIds,
      ruleCodes: rules.map(({ rule }) => rule.code),
      context: row.context,
      today,
    }));
    const results = await app.judges.judge(await readEvidence(app, evidence), judgements);
    const { submissionId, assetId, filename } = row;
    const findings = results.flatMap((result) => result.findings);
    // One line a rule and asset: the gravest.
    const first = Map.groupBy(findings, ({ ruleCode }) => ruleCode).values();
    return [...first].flatMap(([finding]) =>
      finding === undefined
        ? []
        : [
            {
              ruleCode: finding.ruleCode,
              submissionId,
              assetId,
              filename,
              severity: finding.severity,
              summary: finding.summary,
            },
          ],
    );
  } catch (error) {
    if (isStoreError(error, "object_missing", "object_changed")) return undefined;
    throw error;
  }
}
