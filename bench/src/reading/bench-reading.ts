import type { Evidence, Super } from "@greenlit/engine/evidence/evidence.ts";
import { gatherEvidence } from "@greenlit/engine/evidence/gather.ts";
import { describeOmissions } from "@greenlit/engine/evidence/omissions.ts";
import { probeFile } from "@greenlit/engine/evidence/probe/probe.ts";
import type { Models } from "@greenlit/engine/models/models.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import { mediaTypeOf } from "@greenlit/engine/testing/golden.ts";
import { atLeast, atMost, type Bench, rounded, say } from "../report.ts";
import { animations, type KitAnimation, type KitClip, replacedClips, superClips } from "./kit.ts";
import { makeKitAnimation, makeKitClip } from "./make-kit.ts";
import { findSuper, isOnTime, isSplit, phantomsOf, type Truth } from "./score.ts";
import { isReadOrNamed, stills } from "./stills.ts";

/** What is not as it should be goes to the screen, so that a person can look at the file. */
export const benchReading: Bench = {
  about: "What is read of a kit of supers, replaced texts, animations and stills whose truth is known.",
  async run(stack) {
    const models = stack.use(openModels());
    const only = process.argv[3] ?? "";
    const tally = { supers: 0, found: 0, pairs: 0, split: 0, cards: 0, cardsFound: 0, cardsOnTime: 0 };
    let [phantoms, filmSeconds, silent, frozen] = [0, 0, 0, 0];
    const watch = async (clip: KitClip): Promise<Super[]> => {
      const { supers, omissions } = await readFile(models, clip.name, await makeKitClip(clip));
      const stray = phantomsOf(supers, clip.texts);
      for (const { text, startSeconds } of stray) say(`phantom    ${clip.name} ${startSeconds} s: ${text}`);
      phantoms += stray.length;
      filmSeconds += clip.seconds;
      if (omissions.length === 0) silent += clip.texts.filter((text) => findSuper(supers, text) === null).length;
      return supers;
    };
    for (const clip of superClips.filter(({ name }) => name.includes(only))) {
      const supers = await watch(clip);
      for (const text of clip.texts) {
        tally.supers += 1;
        if (findSuper(supers, text) === null) say(`missed     ${clip.name} ${describe(text)}, ${text.capLines} lines`);
        else tally.found += 1;
      }
    }
    for (const clip of replacedClips.filter(({ name }) => name.includes(only))) {
      const supers = await watch(clip);
      for (const pair of pairsOf(clip)) {
        tally.pairs += 1;
        if (isSplit(supers, pair)) tally.split += 1;
        else say(`not split  ${clip.name} ${pair.map(describe).join(" / ")}; read: ${around(supers, pair[0].to)}`);
      }
    }
    for (const animation of animations.filter(({ name }) => name.includes(only))) {
      const { supers, freezes, omissions } = await readFile(models, animation.name, await makeKitAnimation(animation));
      const truths = truthsOf(animation);
      const found = truths.map((truth) => findSuper(supers, truth));
      tally.cards += truths.length;
      tally.cardsFound += found.filter((each) => each !== null).length;
      const onTime = truths.filter((truth, index) => isSuperOnTime(found[index] ?? null, truth));
      tally.cardsOnTime += onTime.length;
      if (onTime.length < truths.length)
        say(
          `off        ${animation.name} ${truths.map(describe).join(" / ")}; read: ${supers.map(describeSuper).join(" | ")}`,
        );
      if (omissions.length === 0) silent += found.filter((each) => each === null).length;
      const end = truths.at(-1)?.to ?? 0;
      const bad = freezes.filter(
        ({ startSeconds, endSeconds }) =>
          endSeconds > end + 0.05 || truths.some(({ from }) => from > startSeconds + 0.12 && from < endSeconds - 0.12),
      );
      for (const span of bad)
        say(`frozen     ${animation.name} ${span.startSeconds} to ${span.endSeconds} s of ${end} s`);
      frozen += bad.length;
    }
    let stillsRead = 0;
    const chosenStills = stills.filter(({ name }) => name.includes(only));
    for (const still of chosenStills) {
      const { supers, omissions } = await readFile(models, still.name, await still.make());
      const isRead = isReadOrNamed(still, { supers, omissions });
      if (isRead) stillsRead += 1;
      else
        say(
          `silent     ${still.name} “${still.text}”; read: ${supers.map(({ text }) => text).join(" | ")}; not checked: ${omissions.join(" ")}`,
        );
    }
    silent += chosenStills.length - stillsRead;
    return {
      bars: [
        atLeast("share of the supers found", tally.found / Math.max(1, tally.supers), tally.supers === 0 ? 0 : 0.98),
        atLeast(
          "share of the replaced pairs split within 0.12 s",
          tally.split / Math.max(1, tally.pairs),
          tally.pairs === 0 ? 0 : 1,
        ),
        atLeast(
          "share of the cards of animations read",
          tally.cardsFound / Math.max(1, tally.cards),
          tally.cards === 0 ? 0 : 1,
        ),
        atLeast(
          "share of the cards of animations read within 0.12 s",
          tally.cardsOnTime / Math.max(1, tally.cards),
          tally.cards === 0 ? 0 : 0.98,
        ),
        atMost("phantoms in ten minutes of film", (phantoms * 600) / Math.max(600, filmSeconds), 1),
        atMost("freezes past a change of text or the end", frozen, 0),
        atMost("texts neither read nor named as not checked", silent, 0),
      ],
      figures: { ...tally, phantoms, filmMinutes: rounded(filmSeconds / 60), stills: chosenStills.length, stillsRead },
    };
  },
};

type Read = { supers: Super[]; freezes: NonNullable<Evidence["freezes"]>; omissions: string[] };

async function readFile(models: Models, name: string, file: string): Promise<Read> {
  const mediaType = mediaTypeOf(name);
  const limits = { maxDurationSeconds: 600, signal: undefined };
  const probe = await probeFile({ file, mediaType, ...limits });
  const needs = new Set(["supers", "freezes"] as const);
  const onProgress = () => undefined;
  const evidence = await gatherEvidence({ file, mediaType, probe, needs, models, onProgress, ...limits });
  return {
    supers: evidence.supers?.supers ?? [],
    freezes: evidence.freezes ?? [],
    omissions: describeOmissions(evidence),
  };
}

function isSuperOnTime(found: Super | null, truth: Truth): boolean {
  return found !== null && isOnTime(found, truth);
}

function pairsOf({ texts }: KitClip): [Truth, Truth][] {
  return texts.flatMap((first, index): [Truth, Truth][] => {
    const second = texts[index + 1];
    return index % 2 === 0 && second !== undefined ? [[first, second]] : [];
  });
}

function truthsOf({ frames }: KitAnimation): Truth[] {
  let at = 0;
  return frames.map(({ text, seconds }) => {
    const from = at;
    at += seconds;
    return { text, from, to: at };
  });
}

function describe({ text, from, to }: Truth): string {
  return `“${text}” ${from.toFixed(2)}–${to.toFixed(2)}`;
}

function describeSuper({ text, startSeconds, endSeconds }: Super): string {
  return `“${text.replaceAll("\n", " / ")}” ${startSeconds}–${endSeconds}`;
}

function around(supers: readonly Super[], seconds: number): string {
  return supers
    .filter(({ startSeconds, endSeconds }) => (startSeconds ?? 0) < seconds + 1 && (endSeconds ?? 0) > seconds - 1)
    .map(describeSuper)
    .join(" | ");
}
