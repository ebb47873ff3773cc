import assert from "node:assert/strict";
import { neededEvidence } from "../checks/needed-evidence.ts";
import type { Evidence, EvidenceKey } from "../evidence/evidence.ts";
import { createKeptJudge } from "../kept/judge-kept.ts";
import { packEvidence, unpackEvidence } from "../kept/kept-evidence.ts";
import { measurementsOf } from "../measurements.ts";
import { judgeRules, planRules } from "../rules/judge.ts";
import { loadPacks } from "../rules/load-packs.ts";
import type { Context } from "../sidekick.ts";
import { assetText } from "../text/asset-text.ts";
import { withHeardNames } from "../text/heard-names.ts";

/** What golden files are judged in, one after the other. */
export const goldenContexts: readonly Context[] = [
  {},
  { jurisdictions: ["UK"], channel: "tv", destination: "uk_tv", sector: "finance" },
  { jurisdictions: ["US", "DE"], channel: "online", audience: "children", brand: "Nuvexa" },
];

const today = "2026-11-16";
const packs = loadPacks();

/** Kept and judged again in several contexts at once, evidence gives the findings of each by itself, byte for byte. */
export async function assertJudgedAgain(
  name: string,
  { evidence, gathered }: { evidence: Evidence; gathered: ReadonlySet<EvidenceKey> },
): Promise<void> {
  const sidekicks = (await packs).map(({ sidekick }) => sidekick);
  const kept = createKeptJudge(unpackEvidence(packEvidence({ evidence, gathered: [...gathered] })));

  const again = kept.judgeAll(goldenContexts.map((context) => ({ sidekicks, context, today })));

  for (const [index, context] of goldenContexts.entries()) {
    const heard = withHeardNames(evidence, context);
    const plan = planRules(sidekicks, { probe: evidence.probe, context, today }).filter(({ kind, rule }) =>
      neededEvidence(kind, rule).every((needed) => needed === "probe" || gathered.has(needed)),
    );
    const first = judgeRules(plan, { evidence: heard, text: assetText(heard), context });
    assert.equal(JSON.stringify(again[index]?.findings), JSON.stringify(first), name);
    assert.equal(JSON.stringify(kept.measure(context)), JSON.stringify(measurementsOf(heard, context)), name);
  }
}
