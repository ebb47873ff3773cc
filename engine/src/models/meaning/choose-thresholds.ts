/** A text's scores by topic, given by heads that did not learn from it. */
export type Scored = { topic: number; isOffending: boolean; wasBlind: boolean; scores: Float64Array };

export type Thresholds = { threshold: number; honestBelow: number }[];

/** An honest text is alarmed about when any of its topics is: the share of them that we accept. */
const maxFalseAlarms = 0.02;
/** The same on texts of past blind rounds; what rules find by their words comes on top. */
const maxBlindFalseAlarms = 0.013;
/** How far a topic may stray from the threshold of all, down and up: a hundred texts do not bear more. */
const reach = { down: 1.5, up: 1 };
/** A topic with more texts does not count for more than one with few. */
const textsOfTopic = 170;
const unfoundShare = 0.25;

/**
 * Thresholds that find most at a bearable rate of false alarms: every topic pays the same price for a false alarm, so
 * topics that separate well reach further than those that do not.
 */
export function chooseThresholds(scored: readonly Scored[], topics: number): Thresholds {
  const honest = scored.filter(({ isOffending }) => !isOffending);
  const common = highestAt(honest, maxFalseAlarms);
  const byTopic = Array.from({ length: topics }, (_, topic) => ({
    hits: sorted(scored.filter((text) => text.isOffending && text.topic === topic).map(({ scores }) => scores[topic])),
    alarms: sorted(honest.map(({ scores }) => scores[topic])),
  }));
  const limitsAt = (price: number) => byTopic.map((each) => bestThreshold(each, { price, common }));
  let [low, high] = [0, 64];
  for (let round = 0; round < 24; round += 1) {
    const price = (low + high) / 2;
    if (alarmRate(honest, limitsAt(price)) > maxFalseAlarms) low = price;
    else high = price;
  }
  const limits = limitsAt(high);
  const bare = shifted(limits, shiftToBlind(honest, limits));
  const blind = scored.filter(({ wasBlind }) => wasBlind);
  return bare.map((limit, topic) => {
    const threshold = helpWeak(blind, { limits: bare, topic, limit });
    const hits = byTopic[topic]?.hits ?? [];
    // All but three in a hundred offending texts score higher.
    const rare = hits[Math.floor(hits.length * 0.97)] ?? threshold;
    return { threshold, honestBelow: Math.min(rare, threshold - 1.5) };
  });
}

/**
 * Training texts are harder than life: each honest one is the twin of an offending one. Texts of past blind rounds say
 * how far all thresholds can come down together.
 */
function shiftToBlind(honest: readonly Scored[], limits: readonly number[]): number {
  const blind = honest.filter(({ wasBlind }) => wasBlind);
  if (blind.length < minBlind) return 0;
  const step = 0.05;
  let shift = 0;
  while (shift < 4 && alarmRate(blind, shifted(limits, shift + step)) <= maxBlindFalseAlarms) shift += step;
  return shift;
}

const minBlind = 200;

/** A topic that is found too seldom reaches further, as long as hardly any honest text more is alarmed about. */
function helpWeak(
  blind: readonly Scored[],
  { limits, topic, limit }: { limits: readonly number[]; topic: number; limit: number },
): number {
  const scoreOf = ({ scores }: Scored) => scores[topic] ?? -Infinity;
  const hits = sorted(blind.filter((text) => text.isOffending && text.topic === topic).map(scoreOf));
  const isQuiet = ({ scores }: Scored) => limits.every((each, other) => (scores[other] ?? -Infinity) < each);
  const alarms = sorted(blind.filter((text) => !text.isOffending && isQuiet(text)).map(scoreOf));
  if (hits.length < minHits) return limit;
  let reached = limit;
  while (
    reached > limit - help.reach &&
    countFrom(hits, reached) < help.recall * hits.length &&
    countFrom(alarms, reached - help.step) <= help.alarms
  )
    reached -= help.step;
  return reached;
}

const minHits = 20;
const help = { recall: 0.87, alarms: 6, reach: 2, step: 0.1 };

function shifted(limits: readonly number[], shift: number): number[] {
  return limits.map((limit) => limit - shift);
}

export function alarmRate(honest: readonly Scored[], limits: readonly number[]): number {
  const alarmed = honest.filter(({ scores }) => limits.some((limit, topic) => (scores[topic] ?? -Infinity) >= limit));
  return alarmed.length / Math.max(1, honest.length);
}

function highestAt(honest: readonly Scored[], share: number): number {
  const highest = sorted(honest.map(({ scores }) => Math.max(...scores)));
  return highest[Math.floor(share * highest.length)] ?? 0;
}

function bestThreshold(
  { hits, alarms }: { hits: readonly number[]; alarms: readonly number[] },
  { price, common }: { price: number; common: number },
): number {
  let best = { threshold: common + reach.up, gain: -Infinity };
  for (let step = -reach.down; step <= reach.up; step += 0.05) {
    const threshold = common + step;
    // The first half of a topic is worth more than the last tenth: no topic is given up for the others.
    const recall = countFrom(hits, threshold) / Math.max(1, hits.length);
    const gain =
      textsOfTopic * Math.log(unfoundShare + recall) - price * countFrom(alarms, threshold) - 0.5 * step * step;
    if (gain >= best.gain) best = { threshold, gain };
  }
  return best.threshold;
}

/** How many of a falling list are at or above it. */
function countFrom(falling: readonly number[], threshold: number): number {
  let [low, high] = [0, falling.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((falling[middle] ?? -Infinity) >= threshold) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sorted(values: readonly (number | undefined)[]): number[] {
  return values.map((value) => value ?? 0).toSorted((a, b) => b - a);
}
