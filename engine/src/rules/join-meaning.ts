import type { Static } from "typebox";
import type { Hit } from "../checks/check-kind.ts";
import { meaningHit } from "../checks/wording/meaning.ts";
import { type ConceptParameters, unlessTerms } from "../checks/wording/concept-parameters.ts";
import type { Severity } from "../finding.ts";
import { severities } from "../finding.ts";
import { isHonestAlone, readMeaning } from "../models/meaning/read-meaning.ts";
import type { Window } from "../models/meaning/windows.ts";
import type { AssetText } from "../text/asset-text.ts";
import { indexOf } from "../text/concepts/asset-reading.ts";
import { type PatternText, preparePatternText, standsAt } from "../text/concepts/match-pattern.ts";
import { isAnywhere } from "../text/text-search.ts";
import type { Context, Rule, Sidekick } from "../sidekick.ts";
import { lowerSeverity } from "./context.ts";
import { lexiconsOf } from "./rule-lexicons.ts";

type Planned = { sidekick: Sidekick; rule: Rule; undeclared: readonly string[]; mustShowSector: boolean };
type Judged = { text: AssetText; context: Context };

/** Kinds that look for words in free text: what they find can be honest in spite of its words. */
const wordKinds = new Set(["phrase", "claim", "concept"]);
/** Required wording is asked for by a subject, and news on the subject sells nothing. */
const softenedKinds = new Set([...wordKinds, "wording"]);

/**
 * Lets the heads of the topics judge with the rules: words that a head is sure are honest become a note, and where a
 * head alone speaks, one rule of its topic asks a person to look. What a rule found by its words is not
 * reported a second time by its meaning, nor by a rule of another pack.
 */
export function joinMeaning(plan: readonly Planned[], found: readonly Hit[][], judged: Judged): Hit[][] {
  const hits = plan.map((planned, index) => weigh(planned, found[index] ?? [], judged));
  for (const [topic, indexes] of topicsOf(plan)) {
    addUnspoken(topic, { plan, indexes, hits, judged });
    keepOneByMeaning({ plan, indexes, hits });
    dropRepeats({ plan, indexes, hits });
  }
  addRunnersUp({ plan, hits, judged });
  keepLikeliest({ plan, hits, judged });
  return hits;
}

const topics = new WeakMap<readonly Planned[], Map<string, number[]>>();

/** Where the rules of each topic stand in the plan; one plan serves many files. */
function topicsOf(plan: readonly Planned[]): ReadonlyMap<string, readonly number[]> {
  const known = topics.get(plan);
  if (known !== undefined) return known;
  const byTopic = Map.groupBy(plan.keys(), (index) => plan[index]?.rule.topic ?? "");
  byTopic.delete("");
  topics.set(plan, byTopic);
  return byTopic;
}

function weigh({ rule, undeclared }: Planned, hits: readonly Hit[], { text, context }: Judged): Hit[] {
  if (rule.check.kind === "meaning")
    return hits.map((hit) => ({ ...hit, severity: milder(hit.severity ?? rule.severity), needsHuman: true }));
  if (rule.topic === undefined || !softenedKinds.has(rule.check.kind) || hits.length === 0) return [...hits];
  const reading = readMeaning(text, context, rule.topic);
  if (reading === null || !(wordKinds.has(rule.check.kind) ? reading.isHonest : reading.isFarFromOffending))
    return [...hits];
  // What is wrong in itself, whatever stands beside it: a head is wrong now and then, and that must not be lost.
  const isOfWords = wordKinds.has(rule.check.kind) && undeclared.length === 0;
  const isWrongInItself = rule.check["needs"] === undefined;
  return hits.map((hit) => {
    const isCritical = isOfWords && (hit.severity ?? rule.severity) === "CRITICAL";
    const asked = { topic: rule.topic ?? "", quote: hit.location?.quote ?? "" };
    const staysGrave =
      reading.isScant || (isWrongInItself && (reading.isBrief || !isHonestAlone(text, context, asked)));
    if (isCritical && staysGrave) return hit;
    const reason = "A note only, because the text as a whole reads like honest copy on this topic.";
    return { ...hit, severity: "INFO", needsHuman: true, reasoning: `${hit.reasoning} ${reason}` };
  });
}

/** One severity less than the rule says, and never a mere measurement. */
function milder(severity: Severity): Severity {
  const lower = lowerSeverity(severity);
  return lower === "INFO" ? "MINOR" : lower;
}

type Group = { plan: readonly Planned[]; indexes: readonly number[]; hits: Hit[][] };

/** A pack without a rule of kind `meaning` for the topic: the gravest rule of the topic speaks for the head. */
function addUnspoken(topic: string, { plan, indexes, hits, judged }: Group & { judged: Judged }): void {
  const rules = indexes.flatMap((index) => (plan[index] === undefined ? [] : [{ index, ...plan[index] }]));
  if (rules.some(({ rule }) => rule.check.kind === "meaning")) return;
  if (rules.some(({ index }) => (hits[index] ?? []).length > 0)) return;
  const [speaker] = rules
    .filter(
      ({ rule, undeclared, mustShowSector }) =>
        wordKinds.has(rule.check.kind) && undeclared.length === 0 && !mustShowSector && rule.severity !== "INFO",
    )
    .toSorted((a, b) => rank(a.rule.severity) - rank(b.rule.severity));
  if (speaker === undefined) return;
  const reading = readMeaning(judged.text, judged.context, topic);
  if (reading === null || !reading.isOffending || isSatisfied(speaker.rule, plan, judged.text)) return;
  hits[speaker.index] = [{ ...meaningHit(reading, topic), severity: milder(speaker.rule.severity) }];
}

/** The wording that the rule asks for is there, or the text says that the rule does not apply to it. */
function isSatisfied({ check }: Rule, plan: readonly Planned[], text: AssetText): boolean {
  if (check.kind === "concept") return hasWhatItNeeds(check, preparePatternText(text, indexOf(lexiconsOf(plan))));
  const patterns = ["needs", "unlessAnywhere", "noneOf"].flatMap((key) => {
    const value = check[key];
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  });
  const groups = Array.isArray(check["needsAll"]) ? (check["needsAll"] as string[][]) : [];
  return isAnywhere(text, patterns) || (groups.length > 0 && groups.every((group) => isAnywhere(text, group)));
}

function hasWhatItNeeds(check: Rule["check"], text: PatternText): boolean {
  const { needs = [], needsWithin, unless } = check as Static<typeof ConceptParameters>;
  const inFile = unlessTerms({ unless }).flatMap(([place, terms]) => (place === "asset" ? terms : []));
  return standsAt(text, inFile, "asset") || standsAt(text, needs, needsWithin === "opening" ? "opening" : "asset");
}

function keepOneByMeaning({ plan, indexes, hits }: Group): void {
  const byMeaning = indexes.filter((index) => plan[index]?.rule.check.kind === "meaning");
  const isSaid = indexes.some(
    (index) =>
      !byMeaning.includes(index) &&
      (hits[index] ?? []).some((hit) => (hit.severity ?? plan[index]?.rule.severity) !== "INFO"),
  );
  const [kept] = byMeaning
    .filter((index) => (hits[index] ?? []).length > 0)
    .toSorted((a, b) => closeness(plan[a]) - closeness(plan[b]));
  for (const index of byMeaning) if (isSaid || index !== kept) hits[index] = [];
}

/** A passage that one head speaks about may be meant by its neighbour: a head that all but spoke is named too. */
function addRunnersUp({ plan, hits, judged }: Omit<Group, "indexes"> & { judged: Judged }): void {
  const heads = [...plan.entries()].flatMap(([index, { rule, undeclared }]) => {
    if (rule.check.kind !== "meaning" || rule.topic === undefined || rule.check["examples"] !== undefined) return [];
    const reading = readMeaning(judged.text, judged.context, rule.topic);
    return reading === null ? [] : [{ index, rule, topic: rule.topic, undeclared, reading }];
  });
  const said = heads.filter(({ index }) => (hits[index] ?? []).length > 0);
  for (const { index, rule, topic, undeclared, reading } of heads) {
    const lead = reading.margin - Number(rule.check["threshold"] ?? 0);
    if (lead >= 0 || lead < -runnerUpMargin || !reading.isAbout || undeclared.length > 0) continue;
    if (!said.some((other) => other.reading.window === reading.window)) continue;
    if (isTopicSaid(topic, { plan, hits }) || isSatisfied(rule, plan, judged.text)) continue;
    hits[index] = [{ ...meaningHit(reading, topic), severity: milder(rule.severity) }];
  }
}

const runnerUpMargin = 0.5;

function isTopicSaid(topic: string, { plan, hits }: Pick<Group, "plan" | "hits">): boolean {
  return plan.some(({ rule }, index) => rule.topic === topic && (hits[index] ?? []).length > 0);
}

/**
 * Heads of neighbouring topics speak up together: of what one passage sounds like, the likeliest are enough. Where a
 * rule found the passage by its words, another topic must be plainly meant to be named beside it.
 */
function keepLikeliest({ plan, hits, judged }: Omit<Group, "indexes"> & { judged: Judged }): void {
  const spoken = [...plan.entries()].flatMap(([index, { rule }]) => {
    if (rule.check.kind !== "meaning" || rule.topic === undefined || (hits[index] ?? []).length === 0) return [];
    const reading = readMeaning(judged.text, judged.context, rule.topic);
    return reading === null ? [] : [{ index, reading }];
  });
  for (const group of Map.groupBy(spoken, ({ reading }) => reading.window).values()) {
    const [likeliest, ...others] = group.toSorted((a, b) => b.reading.margin - a.reading.margin);
    if (likeliest === undefined) continue;
    const least = likeliest.reading.margin - maxMarginBehind;
    for (const [place, { index, reading }] of others.entries())
      if (place + 1 >= maxTopicsOfPassage || reading.margin < least) hits[index] = [];
    const { window } = likeliest.reading;
    const said = marginOfWords(window, { plan, hits, judged });
    for (const { index, reading } of group) if (reading.margin < said - maxMarginBehind) hits[index] = [];
    if (isSaidByWords(window, { plan, hits }))
      for (const { index, reading } of group)
        if (reading.margin < plain.margin || reading.own < plain.own) hits[index] = [];
  }
}

/** How sure the heads are of what rules found in it by their words: a neighbour far behind adds nothing. */
function marginOfWords(
  window: Window,
  { plan, hits, judged }: Pick<Group, "plan" | "hits"> & { judged: Judged },
): number {
  const margins = plan.flatMap(({ rule }, index) => {
    if (!wordKinds.has(rule.check.kind) || rule.topic === undefined || (hits[index] ?? []).length === 0) return [];
    const reading = readMeaning(judged.text, judged.context, rule.topic);
    return reading?.window === window ? [reading.margin] : [];
  });
  return Math.max(-Infinity, ...margins);
}

function isSaidByWords(window: Window, { plan, hits }: Pick<Group, "plan" | "hits">): boolean {
  const isWhole = window.words.length > window.own.length;
  const text = window.track.text.slice(window.start, window.end).replaceAll(/\s+/g, " ");
  return plan.some(
    ({ rule }, index) =>
      wordKinds.has(rule.check.kind) &&
      rule.topic !== undefined &&
      (hits[index] ?? []).some(
        ({ severity, location }) =>
          isGraverThanMinor(severity ?? rule.severity) && (isWhole || text.includes(location?.quote ?? "")),
      ),
  );
}

function isGraverThanMinor(severity: Severity): boolean {
  return severity === "CRITICAL" || severity === "MAJOR";
}

const plain = { margin: 2, own: 3.5 };

const maxTopicsOfPassage = 3;
const maxMarginBehind = 3;

/** The rule of a place before the rule of the world; then the graver one. */
function closeness(planned: Planned | undefined): number {
  if (planned === undefined) return Infinity;
  const { rule, undeclared } = planned;
  const places = rule.jurisdictions.length === 0 ? 20 : Math.min(19, rule.jurisdictions.length);
  return undeclared.length * 1000 + places * 10 + rank(rule.severity);
}

/**
 * The same words, by rules of one topic in two packs, or by one duty of two places in one pack (EU-GREEN-GENERIC and
 * XX-GREEN-GENERIC): the graver one speaks, of equals the first.
 */
function dropRepeats({ plan, indexes, hits }: Group): void {
  if (indexes.filter((index) => (hits[index] ?? []).length > 0).length < 2) return;
  const order = indexes.toSorted((a, b) => (closeness(plan[a]) % 10) - (closeness(plan[b]) % 10));
  const said: { packId: string; duty: string; index: number; words: string }[] = [];
  for (const index of order) {
    if ((hits[index] ?? []).length === 0) continue;
    const packId = plan[index]?.sidekick.sidekickId ?? "";
    const duty = (plan[index]?.rule.code ?? "").replace(/^[A-Z]+-/, "");
    hits[index] = (hits[index] ?? []).filter(({ location }) => {
      const words = (location?.quote ?? "").toLowerCase();
      if (words === "") return true;
      const isRepeat = said.some(
        (other) =>
          (other.packId !== packId || (other.duty === duty && other.index !== index)) &&
          (other.words.includes(words) || words.includes(other.words)),
      );
      if (!isRepeat) said.push({ packId, duty, index, words });
      return !isRepeat;
    });
  }
}

function rank(severity: Severity): number {
  return severities.indexOf(severity);
}
