import type { Evidence, EvidenceKey } from "./evidence/evidence.ts";
import type { MediaKind } from "./evidence/probe-shape.ts";
import type { Citation, Location, Measurement, Precedent, Severity } from "./finding.ts";

/** A pack of rules with the checks that judge them. Its id never changes. */
export type Sidekick = {
  sidekickId: string;
  name: string;
  description: string;
  /** ISO 3166 codes, "EU"; empty: everywhere. */
  jurisdictions: readonly string[];
  mediaKinds: readonly MediaKind[];
  /** Changes whenever the same file could get other findings. */
  packVersion: string;
  isDefault: boolean;
  rules: readonly Rule[];
  checks: readonly Check[];
};

/** What a rule says, for people and for the list of rules; how it is judged is the check's business. */
export type Rule = {
  code: string;
  summary: string;
  severity: Severity;
  why: string;
  fix: string;
  citation: Citation | null;
};

/** What the submission declared about the file. Unknown values are ignored by the checks. */
export type Context = {
  jurisdictions?: readonly string[];
  sector?: string;
  channel?: string;
  audience?: string;
  destination?: string;
};

/** Pure: evidence and context in, findings out. It sees exactly the evidence that it declared. */
export type Check = {
  needs: readonly EvidenceKey[];
  appliesTo: readonly MediaKind[];
  run: (evidence: Evidence, context: Context) => RawFinding[];
};

/** What a check reports; what the rule already says is filled in from it. */
export type RawFinding = {
  ruleCode: string;
  summary: string;
  severityReasoning: string;
  severityReasoningHeadline: string;
  /** What makes it the same problem in the next version: not times, not measured values. "" for one a file. */
  sameness: string;
  severity?: Severity;
  needsHuman?: boolean;
  precedents?: Precedent[];
  location?: Partial<Location>;
  measurement?: Measurement;
  recommendation?: string;
  citation?: Citation;
};

/** Narrows what `run` may read to what `needs` declares: reading more would find `undefined` at run time. */
export function defineCheck<const Key extends EvidenceKey>(check: {
  needs: readonly Key[];
  appliesTo: readonly MediaKind[];
  run: (evidence: Pick<Evidence, Key | "probe">, context: Context) => RawFinding[];
}): Check {
  return check;
}
