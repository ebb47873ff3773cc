import { isDeepStrictEqual } from "node:util";
import type { Finding } from "@greenlit/engine/finding.ts";
import type { ChangeKind, Severity } from "../db/tables.ts";

export type FindingChange = {
  change: ChangeKind;
  ruleCode: string;
  fingerprint: string;
  severityBefore: Severity | null;
  severityAfter: Severity | null;
  summary: string;
};

/** What differs between two results of one asset, by fingerprint. Another version of a rule alone is no change. */
export function diffFindings(before: readonly Finding[], after: readonly Finding[]): FindingChange[] {
  const known = new Map(before.map((finding) => [finding.fingerprint, finding]));
  const found = new Set(after.map(({ fingerprint }) => fingerprint));
  return [
    ...after.flatMap((finding) => {
      const earlier = known.get(finding.fingerprint);
      if (earlier === undefined) return [describe("new", undefined, finding)];
      return isDeepStrictEqual(essence(earlier), essence(finding)) ? [] : [describe("changed", earlier, finding)];
    }),
    ...before
      .filter(({ fingerprint }) => !found.has(fingerprint))
      .map((finding) => describe("gone", finding, undefined)),
  ];
}

/** What a reader of the issue would notice. */
function essence({ severity, summary, needsHuman, recommendation }: Finding) {
  return { severity, summary, needsHuman, recommendation };
}

function describe(change: ChangeKind, before: Finding | undefined, after: Finding | undefined): FindingChange {
  const finding = after ?? before;
  return {
    change,
    ruleCode: finding?.ruleCode ?? "",
    fingerprint: finding?.fingerprint ?? "",
    severityBefore: before?.severity ?? null,
    severityAfter: after?.severity ?? null,
    summary: finding?.summary ?? "",
  };
}
