import type { Span } from "../evidence/evidence.ts";
import type { Probe } from "../evidence/probe/probe-shape.ts";
import type { Hit } from "./check-kind.ts";
import { list, round, seconds } from "./format-numbers.ts";

/** Where a file begins and ends cannot be told to the frame. */
const edgeSeconds = 0.1;
/** Delivered advertisements begin with a slate and black: the film itself starts at 7 s (US) or at 10 s (UK, AU, NZ). */
const filmStartsSeconds: readonly number[] = [7, 10];
const leaderSeconds = { least: 1.5, most: 3.3 };
/** A film with more of them than this is made so, or is broken as a whole: one finding says it. */
const maxFindings = 5;

export function lengthOf({ startSeconds, endSeconds }: Span): number {
  return endSeconds - startSeconds;
}

export function isAtHead({ startSeconds }: Span): boolean {
  return startSeconds <= edgeSeconds;
}

export function isAtTail({ endSeconds }: Span, { durationSeconds }: Probe): boolean {
  return durationSeconds !== null && endSeconds >= durationSeconds - edgeSeconds;
}

/** Black between the slate and the film, as delivery specifications ask for it: slate and black are mute. */
export function isLeader(span: Span, silences: readonly Span[] | null): boolean {
  const length = lengthOf(span);
  const isMute =
    silences === null || silences.some((mute) => isAtHead(mute) && mute.endSeconds >= span.endSeconds - 0.3);
  return (
    isMute &&
    length >= leaderSeconds.least &&
    length <= leaderSeconds.most &&
    filmStartsSeconds.some((start) => Math.abs(span.endSeconds - start) <= 0.3)
  );
}

/** One hit for each stretch, or one for all where there are many of them. */
export function hitsOf(
  stretches: readonly Span[],
  options: {
    /** "The picture is black": what a sentence about it begins with. */
    what: string;
    /** "Black": the same in a word. */
    short: string;
    limitSeconds: number;
    /** Longer than this is as grave as the rule says; shorter is minor. */
    graveSeconds: number;
    why: string;
    recommend: (span: Span) => string;
  },
): Hit[] {
  const { what, short, limitSeconds, graveSeconds, why } = options;
  const describe = (span: Span, others: readonly Span[]): Hit => {
    const { startSeconds, endSeconds } = span;
    const length = lengthOf(span);
    const more = others.length === 0 ? "" : ` The same happens in ${others.length} more places: at ${places(others)}.`;
    return {
      summary: `${what} for ${seconds(length)}, from ${seconds(startSeconds)} to ${seconds(endSeconds)}${others.length === 0 ? "" : `, and in ${others.length} more places`}.`,
      headline: `${short} for ${seconds(length)}; up to ${seconds(limitSeconds)} passes`,
      reasoning: `From ${seconds(startSeconds)} to ${seconds(endSeconds)}: ${seconds(length)}, where up to ${seconds(limitSeconds)} passes and more than ${seconds(graveSeconds)} is grave.${more} ${why}`,
      identity: short,
      ...(length > graveSeconds ? {} : { severity: "MINOR" as const }),
      location: { startSeconds: round(startSeconds), endSeconds: round(endSeconds) },
      measurement: { value: round(length), limit: limitSeconds, unit: "s" },
      recommendation: options.recommend(span),
    };
  };
  if (stretches.length <= maxFindings) return stretches.map((span) => describe(span, []));
  const [longest, ...others] = stretches.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  return longest === undefined ? [] : [describe(longest, others)];
}

function places(spans: readonly Span[]): string {
  const starts = spans.map(({ startSeconds }) => startSeconds).toSorted((a, b) => a - b);
  const shown = starts.slice(0, maxFindings).map(seconds);
  return starts.length > shown.length ? `${shown.join(", ")} and later` : list(shown);
}
