import { alarmRate, type Scored } from "./choose-thresholds.ts";
import type { TopicHead } from "./heads-file.ts";

/** What the heads find in texts that they did not learn from, as lines for a terminal. */
export function describeScores(
  scored: readonly Scored[],
  { topics, heads }: { topics: readonly string[]; heads: readonly TopicHead[] },
): string[] {
  const limits = heads.map(({ threshold }) => threshold);
  const honest = scored.filter(({ isOffending }) => !isOffending);
  const offending = scored.filter(({ isOffending }) => isOffending);
  const isFound = ({ topic, scores }: Scored) => (scores[topic] ?? -Infinity) >= (limits[topic] ?? Infinity);
  const isAlarmed = ({ scores }: Scored) => limits.some((limit, topic) => (scores[topic] ?? -Infinity) >= limit);
  const sum = (name: string, isCounted: (text: Scored) => boolean) => {
    const found = offending.filter(isCounted);
    const quiet = honest.filter(isCounted);
    return `${name}: recall ${share(found.filter(isFound).length, found.length)}, by any head ${share(found.filter(isAlarmed).length, found.length)}, false alarms ${(100 * alarmRate(quiet, limits)).toFixed(1)} % of ${quiet.length} honest texts`;
  };
  return [
    "Cross-validated: each text is scored by heads that did not learn from it.",
    sum("all texts", () => true),
    sum("texts of past blind rounds", ({ wasBlind }) => wasBlind),
    ...topics.map((name, topic) => {
      const own = offending.filter((text) => text.topic === topic);
      const alarms = honest.filter(({ scores }) => (scores[topic] ?? -Infinity) >= (limits[topic] ?? Infinity));
      return `${name.padEnd(30)} ${share(own.filter(isFound).length, own.length)} of ${own.length}, ${alarms.length} false alarms, threshold ${limits[topic]?.toFixed(2)}`;
    }),
  ];
}

function share(part: number, whole: number): string {
  return (part / Math.max(1, whole)).toFixed(3);
}
