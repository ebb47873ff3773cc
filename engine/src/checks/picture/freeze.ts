import { Type } from "typebox";
import type { Span } from "../../evidence/evidence.ts";
import { defineCheckKind, type Hit } from "../check-kind.ts";
import { seconds } from "../format-numbers.ts";
import { hitsOf, isAtHead, isAtTail, isLeader, lengthOf } from "../span-findings.ts";

/** Advertisements are delivered with their last frame held for five seconds. */
const tailHoldSeconds = 6;

/** A picture that stands still where something should move. */
export const freeze = defineCheckKind({
  kind: "freeze",
  about: "A picture that stands still for longer than so many seconds; the held last frame is not counted.",
  parameters: Type.Object({ maxSeconds: Type.Number({ minimum: 0 }), graveSeconds: Type.Number({ minimum: 0 }) }),
  appliesTo: ["video"],
  needs: () => ["freezes", "black", "silences"],
  run({ evidence: { freezes, black, silences, probe }, parameters: { maxSeconds, graveSeconds } }): Hit[] {
    const dark = black ?? [];
    const all = freezes ?? [];
    const whole = all.find((span) => isAtHead(span) && isAtTail(span, probe));
    if (whole !== undefined) return isDark(whole, dark) ? [] : [standsStill(whole)];
    const slateEnds = dark.filter((span) => isLeader(span, silences)).map(({ startSeconds }) => startSeconds);
    const isSlate = (span: Span) => slateEnds.some((end) => span.endSeconds <= end + 0.5);
    return hitsOf(
      all.filter(
        (span) =>
          lengthOf(span) > maxSeconds &&
          !(isAtTail(span, probe) && lengthOf(span) <= tailHoldSeconds) &&
          !isSlate(span) &&
          !isDark(span, dark),
      ),
      {
        what: "The picture stands still",
        short: "Still",
        limitSeconds: maxSeconds,
        graveSeconds,
        why: "A card or a pack shot may be meant to; a dropped frame sequence is not. A last frame that is held for up to 6 s is not counted.",
        recommend: ({ startSeconds, endSeconds }) =>
          `Compare ${seconds(startSeconds)} to ${seconds(endSeconds)} with the edit: if something should move there, export that part again.`,
      },
    );
  },
});

function standsStill(span: Span): Hit {
  return {
    summary: `The picture stands still from beginning to end (${seconds(lengthOf(span))}).`,
    headline: "One still picture throughout",
    reasoning: `Nothing moves in ${seconds(lengthOf(span))}. It may be meant so, as sound with a still picture.`,
    identity: "still throughout",
    severity: "MINOR",
    location: span,
    recommendation: "If the film should move, export it again from the edit.",
  };
}

/** Black stands still too; that is another finding's business. */
function isDark(span: Span, dark: readonly Span[]): boolean {
  const shared = dark.reduce(
    (sum, { startSeconds, endSeconds }) =>
      sum + Math.max(0, Math.min(endSeconds, span.endSeconds) - Math.max(startSeconds, span.startSeconds)),
    0,
  );
  return shared >= 0.8 * lengthOf(span);
}
