import { mediaTypeOf } from "@greenlit/engine/testing/golden.ts";
import { atLeast, atMost, say } from "../report.ts";
import { animations, type KitAnimation } from "./kit.ts";
import { makeKitAnimation } from "./make-kit.ts";
import { gather, type Part } from "./reading-part.ts";
import { describeSuper, describeTruth, findSuper, isOnTime, type Truth } from "./score.ts";

/** Thirty moving pictures of a few frames, each with a card of text. */
export const readAnimations: Part = async ({ models, only }) => {
  const tally = { cards: 0, found: 0, onTime: 0, frozen: 0, silent: 0 };
  for (const animation of animations.filter(({ name }) => name.includes(only))) {
    const file = await makeKitAnimation(animation);
    const mediaType = mediaTypeOf(animation.name);
    const evidence = await gather(models, { file, mediaType, keys: ["supers", "freezes"] });
    const supers = evidence.supers?.supers ?? [];
    const truths = truthsOf(animation);
    const found = truths.map((truth) => findSuper(supers, truth));
    const onTime = truths.filter((truth, index) => {
      const card = found[index] ?? null;
      return card !== null && isOnTime(card, truth);
    });
    tally.cards += truths.length;
    tally.found += found.filter((card) => card !== null).length;
    tally.onTime += onTime.length;
    if (onTime.length < truths.length) {
      const read = supers.map(describeSuper).join(" | ");
      say(`off        ${animation.name} ${truths.map(describeTruth).join(" / ")}; read: ${read}`);
    }
    if (evidence.omissions.length === 0) tally.silent += found.filter((card) => card === null).length;
    const end = truths.at(-1)?.to ?? 0;
    const bad = (evidence.freezes ?? []).filter(
      ({ startSeconds, endSeconds }) =>
        endSeconds > end + 0.05 || truths.some(({ from }) => from > startSeconds + 0.12 && from < endSeconds - 0.12),
    );
    for (const span of bad)
      say(`frozen     ${animation.name} ${span.startSeconds} to ${span.endSeconds} s of ${end} s`);
    tally.frozen += bad.length;
  }
  const shareOf = (count: number) => count / Math.max(1, tally.cards);
  return {
    bars: [
      atLeast("share of the cards of animations read", shareOf(tally.found), 1),
      atLeast("share of the cards of animations read within 0.12 s", shareOf(tally.onTime), 0.98),
      atMost("freezes past a change of text or the end", tally.frozen, 0),
      atMost("cards neither read nor named as not checked", tally.silent, 0),
    ],
    figures: tally,
  };
};

function truthsOf({ frames }: KitAnimation): Truth[] {
  let at = 0;
  return frames.map(({ text, seconds }) => {
    const from = at;
    at += seconds;
    return { text, from, to: at };
  });
}
