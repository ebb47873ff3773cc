import type { EvidenceKey } from "../evidence/evidence.ts";
import type { MediaKind } from "../evidence/probe/probe-shape.ts";
import type { Rule, Sidekick } from "../sidekick.ts";
import type { CheckKind } from "./check-kind.ts";
import { findCheckKind } from "./kinds.ts";

/** What is gathered for one rule. */
export function neededEvidence(kind: CheckKind, rule: Rule): readonly EvidenceKey[] {
  return kind.needs(rule.check as never);
}

/** What is gathered for all rules that can concern this kind of file, whatever the market and the day. */
export function evidenceForEveryMarket(sidekicks: readonly Sidekick[], mediaKind: MediaKind): EvidenceKey[] {
  return sidekicks.flatMap(({ rules }) =>
    rules.flatMap((rule) => {
      const kind = findCheckKind(rule.check.kind);
      return kind?.appliesTo.includes(mediaKind) ? neededEvidence(kind, rule) : [];
    }),
  );
}
