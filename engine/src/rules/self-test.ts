import { assetText, plainText } from "../text/asset-text.ts";
import type { Evidence, Super } from "../evidence/evidence.ts";
import { emptyEvidence } from "../evidence/empty-evidence.ts";
import { makeProbe, type Probe } from "../evidence/probe/probe-shape.ts";
import type { Finding } from "../finding.ts";
import type { Context, Rule, Sidekick } from "../sidekick.ts";
import { judgeMarkets, planRules } from "./judge.ts";
import type { Example, Pack, RuleSource } from "./load-packs.ts";

/** An example that a rule does not keep its promise on. */
export type BrokenExample = { code: string; file: string; message: string };

/** Far enough that every rule with a start date applies, so that its examples are judged today. */
export const afterAllStartDates = "2100-01-01";

/** Runs a rule over its own hits and non-hits, in the context in which it is a duty. */
export function testRule(pack: Pack, source: RuleSource): BrokenExample[] {
  const { rule, file } = source;
  const broken: BrokenExample[] = [];
  const judge = (example: Example) => judgeText(pack.sidekick, exampleOf(rule, example), [rule]);
  for (const example of source.fails) {
    if (judge(example).length === 0) {
      broken.push({ code: rule.code, file, message: `finds nothing in its own \`fails\`: ${quote(example)}` });
    }
  }
  for (const example of source.passes) {
    const found = judge(example)[0];
    if (found === undefined) continue;
    broken.push({
      code: rule.code,
      file,
      message: `finds “${found.location?.quote ?? found.summary}” in its own \`passes\`: ${quote(example)}`,
    });
  }
  return broken;
}

/**
 * No rule may fire on another's cure: what passes one rule of a pack must pass them all. A passing example is the
 * recommended wording in use. `byExample`: what rules by example say of it, which only ask a person to look.
 */
export function testPeace(pack: Pack, { byExample = false } = {}): BrokenExample[] {
  const judges = pack.sidekick.rules.filter(({ check }) => (check["examples"] !== undefined) === byExample);
  return pack.sources.flatMap(({ rule, file, passes }) =>
    passes.flatMap((example) => {
      const others = judges.filter((other) => other.code !== rule.code);
      const found = judgeText(pack.sidekick, exampleOf(rule, example), others).find(
        ({ severity }) => severity !== "INFO",
      );
      if (found === undefined) return [];
      const what = found.location?.quote ?? found.summary;
      return [{ code: rule.code, file, message: `its \`passes\` ${quote(example)} is a ${found.ruleCode}: “${what}”` }];
    }),
  );
}

export type TextCase = {
  text: string;
  context: Context;
  on: "screen" | "speech" | "document";
  /** As if the file's metadata said so. */
  isAiMade?: boolean;
};

/** Judges a bare text as if it stood in a file: for examples, for the corpus, and for trying a rule out. */
export function judgeText(sidekick: Sidekick, textCase: TextCase, rules: readonly Rule[]): Finding[] {
  return judgeWithAll([{ ...sidekick, rules }], textCase);
}

/** The same by all packs at once, which then decide together which rule reports. */
export function judgeWithAll(sidekicks: readonly Sidekick[], textCase: TextCase): Finding[] {
  return judgeWithGroups([sidekicks], textCase);
}

/** The same by each pack for itself: the text is read once for all of them. */
export function judgeWithEach(sidekicks: readonly Sidekick[], textCase: TextCase): Finding[] {
  return judgeWithGroups(
    sidekicks.map((sidekick) => [sidekick]),
    textCase,
  );
}

function judgeWithGroups(groups: readonly (readonly Sidekick[])[], textCase: TextCase): Finding[] {
  const { context } = textCase;
  const evidence = evidenceOf(textCase);
  const options = { probe: evidence.probe, context, today: afterAllStartDates };
  const markets = groups.map((sidekicks) => ({ plan: planRules(sidekicks, options), context }));
  return judgeMarkets(markets, { evidence, text: assetText(evidence) }).flat();
}

function exampleOf(rule: Rule, example: Example): TextCase {
  const own: Context = {
    ...(rule.jurisdictions.length > 0 ? { jurisdictions: rule.jurisdictions.slice(0, 1) } : {}),
    ...(rule.sectors[0] === undefined ? {} : { sector: rule.sectors[0] }),
    ...(rule.channels[0] === undefined ? {} : { channel: rule.channels[0] }),
    ...(rule.audiences[0] === undefined ? {} : { audience: rule.audiences[0] }),
    ...(rule.destinations[0] === undefined ? {} : { destination: rule.destinations[0] }),
  };
  if (typeof example === "string") return { text: example, context: own, on: "document" };
  return { text: example.text, context: { ...own, ...example.context }, on: example.on ?? "document" };
}

export function evidenceOf({ text, on, isAiMade }: TextCase): Evidence {
  const evidence = emptyEvidence(textProbe(on));
  if (isAiMade) {
    const digitalSourceType = { value: "trainedAlgorithmicMedia", source: "XMP" };
    evidence.metadata = { gps: null, entries: [], digitalSourceType, contentCredentials: null };
  }
  if (on === "document") {
    evidence.document = { pages: [{ page: 1, text, blocks: [], needsReading: false }], cues: null, limits: [] };
  }
  if (on === "screen") evidence.supers = { supers: plainText(text).split("\n").map(superOf), readerCalls: 0 };
  if (on === "speech") {
    const segment = { startSeconds: 1, endSeconds: 9, text, confidence: 0.95, isDoubtful: false };
    evidence.speech = { segments: [segment], notJudged: null };
  }
  return evidence;
}

function superOf(text: string): Super {
  return {
    text,
    startSeconds: 1,
    endSeconds: 9,
    heightLines: 40,
    heightShare: 0.037,
    contrastRatio: 15,
    region: { x: 0.1, y: 0.8, width: 0.8, height: 0.05 },
    isMoving: false,
    confidence: 0.98,
  };
}

/** A file about which nothing is known but its kind. */
export function textProbe(on: TextCase["on"]): Probe {
  return makeProbe({
    kind: on === "document" ? "document" : "video",
    container: "txt",
    sizeBytes: 1,
    pages: on === "document" ? 1 : null,
  });
}

function quote(example: Example): string {
  const text = typeof example === "string" ? example : example.text;
  return `“${text.length > 120 ? `${text.slice(0, 119)}…` : text}”`;
}
