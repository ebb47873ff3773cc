import type { Static, TSchema } from "typebox";
import type { Evidence, EvidenceKey } from "../evidence/evidence.ts";
import type { MediaKind } from "../evidence/probe/probe-shape.ts";
import type { Citation, Location, Measurement, Severity } from "../finding.ts";
import type { Context } from "../sidekick.ts";
import type { AssetText } from "../text/asset-text.ts";
import type { Lexicons } from "../text/concepts/lexicon.ts";

/** One way to judge evidence. Pure: evidence and parameters in, hits out; the rule around it is data. */
export type CheckKind = {
  kind: string;
  /** One sentence for `greenlit rules` and the documentation. */
  about: string;
  parameters: TSchema;
  /** Its parameters name concepts: their lexicons are loaded, and looked for in one pass. */
  readsConcepts?: true;
  appliesTo: readonly MediaKind[];
  /** What is gathered for it, and all that it may read besides the probe. What does not apply to a file is `null`. */
  needs: (parameters: never) => readonly EvidenceKey[];
  run: (input: CheckInput<never>) => Hit[];
};

export type CheckInput<Parameters> = {
  evidence: Evidence;
  parameters: Parameters;
  context: Context;
  /** What the rule depends on and the submission left open: jurisdiction, sector, channel, audience, destination. */
  undeclared: readonly string[];
  /** All words of the asset: made once, shared by all checks. */
  text: AssetText;
  /** All lists of words that the rules of this asset name, and the words that stand in the rules themselves. */
  lexicons: Lexicons;
};

/** One problem as a check reports it. What the rule says anyway is filled in from the rule. */
export type Hit = {
  /** One sentence with the offending words or the figure. */
  summary: string;
  /** A few words: the figure against its limit, or the words. */
  headline: string;
  /** The arithmetic, or what was looked for and not found. The rule's `why` is added to it. */
  reasoning: string;
  /** What makes it the same problem in the next version: not times, not measured values. "" if a file has at most one. */
  identity: string;
  severity?: Severity;
  needsHuman?: boolean;
  location?: Partial<Location>;
  measurement?: Measurement;
  /** Exactly what to change, where the rule's `fix` cannot know it. */
  recommendation?: string;
  citation?: Citation;
};

/** What every text check reads. A film's words are on screen, in the voice and in its captions. */
export const textNeeds: readonly EvidenceKey[] = ["document", "supers", "speech", "captions"];

export const everyKind: readonly MediaKind[] = ["video", "audio", "image", "document"];

/** Types the parameters of `run` by their schema. */
export function defineCheckKind<Schema extends TSchema>(check: {
  kind: string;
  about: string;
  parameters: Schema;
  readsConcepts?: true;
  appliesTo: readonly MediaKind[];
  needs: (parameters: Static<Schema>) => readonly EvidenceKey[];
  run: (input: CheckInput<Static<Schema>>) => Hit[];
}): CheckKind {
  return check;
}
