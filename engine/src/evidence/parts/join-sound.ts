import type { ToneEvidence } from "../evidence.ts";
import type { Heard } from "../speech/speech.ts";
import { type FilmPart, ownSpan } from "./film-part.ts";
import { joinItems } from "./join-spans.ts";

type Tone = ToneEvidence["tones"][number];

export function joinTones(parts: readonly { part: FilmPart; tones: ToneEvidence }[]): ToneEvidence {
  return {
    tones: joinItems(
      parts.map(({ part, tones }) => ({ part, items: tones.tones })),
      { isSame: (one, other) => one.kind === other.kind, unite: uniteTones },
    ),
  };
}

function uniteTones(earlier: Tone, later: Tone, { isWhole }: { isWhole: boolean }): Tone {
  if (isWhole) return earlier;
  const { startSeconds } = earlier;
  return {
    ...earlier,
    startSeconds,
    endSeconds: later.endSeconds,
    levelDbfs: Math.max(earlier.levelDbfs, later.levelDbfs),
  };
}

/** One window and a half of the detector of voices. */
const nearSeconds = 0.05;

/** What is said, from one part up to a pause near the cut and from the next one after it. */
export function joinSpeech(parts: readonly { part: FilmPart; heard: readonly Heard[] }[]): Heard[] {
  let joined: Heard[] = [];
  for (const [index, { part, heard }] of parts.entries()) {
    if (index === 0) {
      joined = [...heard];
      continue;
    }
    const pause = findPause({ part, earlier: joined, later: heard });
    if (pause === null) joined = cutInMiddle({ part, earlier: joined, later: heard });
    else
      joined = [
        ...joined.filter(({ endSeconds }) => endSeconds <= pause + nearSeconds),
        ...heard.filter(({ startSeconds }) => startSeconds >= pause - nearSeconds),
      ];
  }
  return joined;
}

type Sides = { part: FilmPart; earlier: readonly Heard[]; later: readonly Heard[] };

/** The moment nearest to the cut at which, to both, nobody speaks or one stretch ends and another begins. */
function findPause({ part, earlier, later }: Sides): number | null {
  const { startSeconds: cut } = ownSpan(part);
  const reach = cut - part.range.soundFromSeconds;
  const both = [...earlier, ...later];
  const isPause = (at: number) =>
    both.every(({ startSeconds, endSeconds }) => at <= startSeconds + nearSeconds || at >= endSeconds - nearSeconds);
  const near = [cut, ...both.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])]
    .filter((at) => Math.abs(at - cut) < reach)
    .toSorted((a, b) => Math.abs(a - cut) - Math.abs(b - cut));
  return near.find(isPause) ?? null;
}

/** Somebody speaks without a pause for longer than the parts overlap, and each part has cut it elsewhere. */
function cutInMiddle({ part, earlier, later }: Sides): Heard[] {
  const { startSeconds: cut } = ownSpan(part);
  const middle = ({ startSeconds, endSeconds }: Heard) => (startSeconds + endSeconds) / 2;
  return [...earlier.filter((each) => middle(each) < cut), ...later.filter((each) => middle(each) >= cut)];
}
