import type { Super } from "@greenlit/engine/evidence/evidence.ts";
import type { Models } from "@greenlit/engine/models/models.ts";
import { mediaTypeOf } from "@greenlit/engine/testing/golden.ts";
import { atLeast, atMost, rounded, say } from "../report.ts";
import { type KitClip, replacedClips, superClips } from "./kit.ts";
import { makeKitClip } from "./make-kit.ts";
import { gather, type Part } from "./reading-part.ts";
import { describeSuper, describeTruth, findSuper, isSplit, phantomsOf, type Truth } from "./score.ts";

/** A hundred supers: found or not. */
export const readSupers: Part = async ({ models, only }) => {
  const tally = { ...emptyTally(), supers: 0, found: 0 };
  for (const clip of superClips.filter(({ name }) => name.includes(only))) {
    const supers = await watch(models, clip, tally);
    for (const text of clip.texts) {
      tally.supers += 1;
      if (findSuper(supers, text) !== null) tally.found += 1;
      else say(`missed     ${clip.name} ${describeTruth(text)}, ${text.capLines} lines`);
    }
  }
  return {
    bars: [atLeast("share of the supers found", tally.found / Math.max(1, tally.supers), 0.98), ...barsOf(tally)],
    figures: tally,
  };
};

/** Sixty pairs of texts of which one takes the other's place at once: two supers or one. */
export const readReplaced: Part = async ({ models, only }) => {
  const tally = { ...emptyTally(), pairs: 0, split: 0 };
  for (const clip of replacedClips.filter(({ name }) => name.includes(only))) {
    const supers = await watch(models, clip, tally);
    for (const pair of pairsOf(clip)) {
      tally.pairs += 1;
      if (isSplit(supers, pair)) tally.split += 1;
      else say(`not split  ${clip.name} ${pair.map(describeTruth).join(" / ")}; read: ${around(supers, pair[0].to)}`);
    }
  }
  const share = tally.split / Math.max(1, tally.pairs);
  return {
    bars: [atLeast("share of the replaced pairs split within 0.12 s", share, 1), ...barsOf(tally)],
    figures: tally,
  };
};

type Tally = { phantoms: number; filmMinutes: number; silent: number; unread: number };

function emptyTally(): Tally {
  return { phantoms: 0, filmMinutes: 0, silent: 0, unread: 0 };
}

async function watch(models: Models, clip: KitClip, tally: Tally): Promise<Super[]> {
  const file = await makeKitClip(clip);
  const { supers: found, omissions } = await gather(models, {
    file,
    mediaType: mediaTypeOf(clip.name),
    keys: ["supers"],
  });
  const supers = found?.supers ?? [];
  const stray = phantomsOf(supers, clip.texts);
  for (const { text, startSeconds } of stray) say(`phantom    ${clip.name} ${startSeconds} s: ${text}`);
  for (const omission of omissions) say(`unread     ${clip.name}: ${omission}`);
  tally.phantoms += stray.length;
  tally.unread += omissions.length;
  tally.filmMinutes = rounded(tally.filmMinutes + clip.seconds / 60);
  if (omissions.length === 0) tally.silent += clip.texts.filter((text) => findSuper(supers, text) === null).length;
  return supers;
}

function barsOf({ phantoms, filmMinutes, silent }: Tally) {
  return [
    atMost("phantoms in ten minutes of film", (phantoms * 10) / Math.max(10, filmMinutes), 1),
    atMost("supers neither read nor named as not checked", silent, 0),
  ];
}

function pairsOf({ texts }: KitClip): [Truth, Truth][] {
  return texts.flatMap((first, index): [Truth, Truth][] => {
    const second = texts[index + 1];
    return index % 2 === 0 && second !== undefined ? [[first, second]] : [];
  });
}

function around(supers: readonly Super[], seconds: number): string {
  return supers
    .filter(({ startSeconds, endSeconds }) => (startSeconds ?? 0) < seconds + 1 && (endSeconds ?? 0) > seconds - 1)
    .map(describeSuper)
    .join(" | ");
}
