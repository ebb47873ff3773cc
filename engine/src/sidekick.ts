import type { MediaKind } from "./evidence/probe/probe-shape.ts";
import type { Lexicons } from "./text/concepts/lexicon.ts";
import type { Citation, Precedent, Severity } from "./finding.ts";

/** A pack of rules: data, so that it can be sent to the child that runs it. Its id never changes. */
export type Sidekick = {
  sidekickId: string;
  name: string;
  description: string;
  /** ISO 3166 codes, "UK", "EU"; empty: everywhere. */
  jurisdictions: readonly string[];
  mediaKinds: readonly MediaKind[];
  /** Changes by itself whenever a rule does. */
  packVersion: string;
  isDefault: boolean;
  rules: readonly Rule[];
  /** The lists of words that its rules name. */
  lexicons?: Lexicons;
};

export type Rule = {
  code: string;
  /** Changes by itself whenever the rule could find something else, or say something else about it. */
  version: string;
  summary: string;
  severity: Severity;
  why: string;
  fix: string;
  citation: Citation | null;
  /** Where, for whom and since when it is a duty; empty: always. */
  jurisdictions: readonly string[];
  sectors: readonly string[];
  channels: readonly string[];
  audiences: readonly string[];
  destinations: readonly string[];
  /** The first day on which it applies, `2026-09-27`. */
  from: string | null;
  /** What becomes of a finding where the context that the rule depends on is not declared. */
  whenUndeclared: WhenUndeclared;
  /** Every finding is for a person to decide. */
  needsHuman: boolean;
  precedents: readonly PublishedDecision[];
  /** What makes a finding acceptable; left out: nothing does. */
  conditions?: readonly ClearanceCondition[];
  /** The topic of rulepacks/texts that it is about: the head of the topic judges with it. */
  topic?: string;
  check: { kind: string } & Record<string, unknown>;
};

/** After the hour from which children are not expected to watch; not around programmes for children; behind a check of age. */
export const clearanceConditions = ["post_watershed", "ex_kids", "age_gate"] as const;
export type ClearanceCondition = (typeof clearanceConditions)[number];

/** A precedent and what it was about, as rulepacks/precedents.yaml has it. */
export type PublishedDecision = Precedent & { id: string; jurisdiction: string; about: string };

/**
 * `lower`: one severity lower; `info`: a mere measurement; `ask`: a person decides; `quiet`: nothing where the
 * jurisdiction or the destination is open, so that a file for nowhere is not measured by every country's figures, and a
 * mere measurement where something else is.
 */
export type WhenUndeclared = "lower" | "info" | "ask" | "quiet";

/** What the submission declared about the file. Unknown values are ignored by the rules. */
export type Context = {
  jurisdictions?: readonly string[];
  sector?: string;
  channel?: string;
  audience?: string;
  destination?: string;
  /** Names that a model of speech cannot know. */
  brand?: string;
  product?: string;
};
