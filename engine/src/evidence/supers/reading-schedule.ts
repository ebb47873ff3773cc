import type { Span } from "../evidence.ts";
import type { Track } from "./text-track.ts";
import type { Strip, Watched } from "./text-watch.ts";

export type LookPlan = {
  /** The rows that the reader should see now; empty: none. */
  choose: (now: { seconds: number; watched: Watched; tracks: readonly Track[] }) => Strip[];
  /** What came of it: text that was new (`texts`), only such as was known, or nothing. */
  note: (look: { seconds: number; strips: Strip[]; found: "new" | "known" | "nothing"; texts: string[] }) => void;
  /** When something had come that the reader was too busy to look at. */
  missed: () => Span[];
};

/** Letters that came in one after the other are read at once. */
const shortestWait = 0.3;
/** A busy picture without text must not cost much: each look that finds nothing doubles the wait. */
const fruitlessWait = 0.5;
const longestWait = 4;
/** Text that moves holds no stroke still: now and then the reader looks whatever the watch says. */
const netSeconds = 2;
const leastChanged = 0.01;
/** What has come this moment is not yet known to stand still: then its own rows are enough. */
const restlessSeconds = 0.25;
/** More rows than this of the picture are read as a whole: no more costly, and no line is cut. */
const wholeShare = 0.6;
const leastSpeed = 20;
const movingSeconds = 1.6;
const stripMargin = 48;
/** Share of the rows. So little that is new is more often a line than a picture: looks that found nothing do not delay it. */
const smallShare = 0.3;
const smallLooksPerSecond = 0.25;
const maxSmallLooks = 3;
/** Of whole pictures. A clock that runs in the picture must not keep the reader busy: this is the most in the long run. */
const looksPerSecond = 0.7;
const maxCredit = 6;
/** Kept for what is probably a line: a film that is cut every second must not use up the looks that its supers need. */
const lineCredit = 3;
/** New rows that are the same for so long are a line that stands: texture that is taken for letters flickers. */
const standingSeconds = 0.15;
/** Of all rows that two have. */
const sameRows = 0.7;
const leastCost = 0.1;
/** Of that: words that nobody has seen yet, one after the other, are what the reader is for. */
const wordsCost = 1 / 3;
const lastTexts = 12;
/** Texture that is taken for faint letters must not cost much either. */
const longestFaintWait = 3;

/** Decides when the reader looks, and at what: looking costs a hundred times what watching does. */
export function createLookPlan({ width, height }: { width: number; height: number }): LookPlan {
  let last = -Infinity;
  let lastWhole = -Infinity;
  let lastCalm = 0;
  // Counted apart: that nothing moves in says nothing of what comes and stands still.
  let fruitless = 0;
  let fruitlessNets = 0;
  let fruitlessFaint = 0;
  let isNet = false;
  let isFaint = false;
  let credit = maxCredit;
  let creditSeconds = 0;
  let smallLooks = maxSmallLooks;
  /** The letters of what was new last: a clock goes on with the same ones, or with none. */
  let letters: string[] = [];
  /** What was new a moment ago, and since when. */
  let known: (Strip & { sinceSeconds: number })[] = [];
  const missed: Span[] = [];
  let isMissing = false;
  const whole = [{ top: 0, bottom: height }];

  function miss(seconds: number): void {
    const latest = missed.at(-1);
    if (isMissing && latest !== undefined) latest.endSeconds = seconds;
    else missed.push({ startSeconds: seconds, endSeconds: seconds });
    isMissing = true;
  }

  /** Of what is new: small rows that were new a moment ago too. */
  function standing(seconds: number, news: readonly Strip[]): Strip[] {
    known = news.map((strip) => {
      const before = known.find((each) => shareOfRows(each, strip) >= sameRows);
      return { ...strip, sinceSeconds: before?.sinceSeconds ?? seconds };
    });
    const lines = known.filter(({ sinceSeconds }) => seconds - sinceSeconds >= standingSeconds);
    return rowsOf(lines) <= smallShare * height ? lines : [];
  }

  function forMoving(seconds: number, tracks: readonly Track[]): Strip[] {
    const moving = tracks.filter(({ velocity }) => Math.hypot(velocity.x, velocity.y) >= leastSpeed);
    const waited = seconds - last;
    return moving.flatMap(({ velocity, template, place }) => {
      if (template === null) return [];
      if (Math.abs(velocity.x) > Math.abs(velocity.y)) {
        if (waited < Math.min(movingSeconds, (0.4 * width) / Math.abs(velocity.x))) return [];
        return [{ top: template.extent.top + place.dy, bottom: template.extent.bottom + place.dy }];
      }
      if (waited < movingSeconds) return [];
      // What has come in since, and the line that was not whole then.
      const fresh = Math.abs(velocity.y) * waited + 2 * (template.extent.bottom - template.extent.top);
      return [velocity.y < 0 ? { top: height - fresh, bottom: height } : { top: 0, bottom: fresh }];
    });
  }

  return {
    choose({ seconds, watched, tracks }) {
      const passed = Math.max(0, seconds - creditSeconds);
      credit = Math.min(maxCredit, credit + passed * looksPerSecond);
      smallLooks = Math.min(maxSmallLooks, smallLooks + passed * smallLooksPerSecond);
      creditSeconds = seconds;
      const lines = standing(seconds, watched.news);
      if (credit < (lines.length > 0 ? -lineCredit : 0)) {
        if (watched.news.length > 0) miss(seconds);
        return [];
      }
      isMissing = false;
      const waited = seconds - last;
      if (watched.isCut) fruitless = 0;
      const wait = fruitless === 0 ? shortestWait : Math.min(longestWait, fruitlessWait * 2 ** fruitless);
      const net = fruitlessNets < 3 ? netSeconds : 2 * netSeconds;
      if (watched.changed < leastChanged) lastCalm = seconds;
      isNet =
        credit >= 0 && seconds - lastWhole >= net && waited >= shortestWait && seconds - lastCalm >= restlessSeconds;
      isFaint = false;
      if (isNet) return whole;
      const isSoon = smallLooks >= 1 && rowsOf(watched.news) <= smallShare * height;
      const isReady = credit >= 0 && waited >= (isSoon ? shortestWait : wait);
      const soon = waited >= shortestWait ? lines : [];
      const strips = isReady ? [...watched.news, ...forMoving(seconds, tracks)] : soon;
      const faintWait = Math.min(longestFaintWait, shortestWait * 2 ** fruitlessFaint);
      isFaint = strips.length === 0 && watched.faint.length > 0 && waited >= faintWait;
      const merged = mergeStrips(isFaint ? watched.faint : strips, height);
      return rowsOf(merged) > wholeShare * height ? whole : merged;
    },
    missed: () => missed,
    note({ seconds, strips, found, texts }) {
      last = seconds;
      const cost = strips.reduce((sum, { top, bottom }) => sum + leastCost + (bottom - top) / height, 0);
      const own = texts.map((text) => text.toLowerCase().replaceAll(/[^\p{L}]/gu, ""));
      const areWords = own.some((each) => each !== "" && !letters.includes(each));
      letters = [...letters, ...own].slice(-lastTexts);
      credit -= areWords ? cost * wordsCost : cost;
      if (strips[0]?.top === 0 && strips[0].bottom === height) lastWhole = seconds;
      if (found === "new") [fruitless, fruitlessNets, fruitlessFaint] = [0, 0, 0];
      else if (isFaint) fruitlessFaint += 1;
      else if (isNet) fruitlessNets += 1;
      else if (found === "nothing") {
        fruitless += 1;
        smallLooks = Math.max(0, smallLooks - 1);
      }
    },
  };
}

function rowsOf(strips: readonly Strip[]): number {
  return strips.reduce((sum, { top, bottom }) => sum + bottom - top, 0);
}

/** What two strips have in common, as a share of what both have. */
function shareOfRows(one: Strip, other: Strip): number {
  const common = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return common / (Math.max(one.bottom, other.bottom) - Math.min(one.top, other.top));
}

function mergeStrips(strips: Strip[], height: number): Strip[] {
  const merged: Strip[] = [];
  for (const strip of strips.toSorted((a, b) => a.top - b.top)) {
    const top = Math.max(0, Math.floor(strip.top - stripMargin));
    const bottom = Math.min(height, Math.ceil(strip.bottom + stripMargin));
    const last = merged.at(-1);
    if (last !== undefined && top <= last.bottom) last.bottom = Math.max(last.bottom, bottom);
    else merged.push({ top, bottom });
  }
  return merged;
}
