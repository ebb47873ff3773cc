import type { FlashEvidence, FlashSequence, PatternEvidence, PatternMotion } from "../evidence.ts";
import { type FilmPart, ownSpan, type PartEvidence } from "./film-part.ts";
import { joinItems } from "./join-spans.ts";

type Pattern = PatternEvidence["patterns"][number];
type PartFlashes = { part: FilmPart; flashes: NonNullable<PartEvidence["flashes"]> };

export function joinFlashes(parts: readonly PartFlashes[]): FlashEvidence {
  const highest = (of: (flashes: FlashEvidence) => number) => Math.max(0, ...parts.map(({ flashes }) => of(flashes)));
  const sequences = joinItems(
    parts.map(({ part, flashes }) => ({ part, items: flashes.sequences })),
    { isSame: (one, other) => one.kind === other.kind && one.standard === other.standard, unite: uniteFlashes },
  );
  return {
    notJudged: parts.find(({ flashes }) => flashes.notJudged !== null)?.flashes.notJudged ?? null,
    maxGeneralPerSecond: highest((flashes) => flashes.maxGeneralPerSecond),
    maxRedPerSecond: highest((flashes) => flashes.maxRedPerSecond),
    wcag: {
      maxGeneralPerSecond: highest(({ wcag }) => wcag.maxGeneralPerSecond),
      maxRedPerSecond: highest(({ wcag }) => wcag.maxRedPerSecond),
    },
    sequences,
    curve: joinCurves(parts),
  };
}

function joinCurves(parts: readonly PartFlashes[]): FlashEvidence["curve"] {
  const stepSeconds = parts[0]?.flashes.curve.stepSeconds ?? 0.1;
  const joinOf = (key: "luminance" | "generalPerSecond" | "redPerSecond") =>
    parts.flatMap(({ part, flashes }) => {
      const { startSeconds, endSeconds } = ownSpan(part);
      const at = (seconds: number) => Math.max(0, Math.round(seconds / stepSeconds) - flashes.curveFromStep);
      return flashes.curve[key].slice(at(startSeconds), at(endSeconds));
    });
  return {
    stepSeconds,
    luminance: joinOf("luminance"),
    generalPerSecond: joinOf("generalPerSecond"),
    redPerSecond: joinOf("redPerSecond"),
  };
}

/** Flashing that goes on longer than the parts overlap: each counts what is on its side of the cut, at its mean rate. */
function uniteFlashes(
  earlier: FlashSequence,
  later: FlashSequence,
  { isWhole, cutSeconds }: { isWhole: boolean; cutSeconds: number },
): FlashSequence {
  if (isWhole) return earlier;
  const share = (sequence: FlashSequence, seconds: number) =>
    (sequence.flashes * seconds) / Math.max(0.001, sequence.endSeconds - sequence.startSeconds);
  const isWorse =
    later.maxPerSecond > earlier.maxPerSecond ||
    (later.maxPerSecond === earlier.maxPerSecond && later.areaShare > earlier.areaShare);
  return {
    ...(isWorse ? later : earlier),
    startSeconds: earlier.startSeconds,
    endSeconds: later.endSeconds,
    flashes: Math.round(
      share(earlier, cutSeconds - earlier.startSeconds) + share(later, later.endSeconds - cutSeconds),
    ),
  };
}

export function joinPatterns(parts: readonly { part: FilmPart; patterns: PatternEvidence }[]): PatternEvidence {
  return {
    notJudged: parts.find(({ patterns }) => patterns.notJudged !== null)?.patterns.notJudged ?? null,
    patterns: joinItems(
      parts.map(({ part, patterns }) => ({ part, items: patterns.patterns })),
      { isSame: () => true, unite: unitePatterns },
    ),
  };
}

const motions: readonly PatternMotion[] = ["still", "moving", "reversing"];

function unitePatterns(earlier: Pattern, later: Pattern, { isWhole }: { isWhole: boolean }): Pattern {
  if (isWhole) return earlier;
  return {
    ...(later.areaShare > earlier.areaShare ? later : earlier),
    startSeconds: earlier.startSeconds,
    endSeconds: later.endSeconds,
    motion: motions[Math.max(motions.indexOf(earlier.motion), motions.indexOf(later.motion))] ?? "still",
  };
}
