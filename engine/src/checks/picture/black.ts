import { Type } from "typebox";
import { defineCheckKind, type Hit } from "../check-kind.ts";
import { seconds } from "../format-numbers.ts";
import { hitsOf, isAtHead, isAtTail, isLeader, lengthOf } from "../span-findings.ts";

/** A black hole in the film. Black before it, after it and behind the slate belongs there. */
export const black = defineCheckKind({
  kind: "black",
  about: "A black picture inside the film for longer than so many seconds, or for all of it.",
  parameters: Type.Object({ maxSeconds: Type.Number({ minimum: 0 }), graveSeconds: Type.Number({ minimum: 0 }) }),
  appliesTo: ["video"],
  needs: () => ["black", "silences"],
  run({ evidence: { black: spans, silences, probe }, parameters: { maxSeconds, graveSeconds } }): Hit[] {
    const all = spans ?? [];
    const whole = all.find((span) => isAtHead(span) && isAtTail(span, probe));
    if (whole !== undefined) {
      return [
        {
          summary: `The picture is black from beginning to end (${seconds(lengthOf(whole))}).`,
          headline: "All black",
          reasoning: `Every frame of ${seconds(lengthOf(whole))} is black.`,
          identity: "all black",
          location: whole,
          recommendation: "Check that the right file was exported: nothing of the picture could be judged.",
        },
      ];
    }
    return hitsOf(
      all.filter(
        (span) => lengthOf(span) > maxSeconds && !isAtHead(span) && !isAtTail(span, probe) && !isLeader(span, silences),
      ),
      {
        what: "The picture is black",
        short: "Black",
        limitSeconds: maxSeconds,
        graveSeconds,
        why: "Black at the very beginning and end, and between a slate and the film, is not counted.",
        recommend: ({ startSeconds, endSeconds }) =>
          `Look at the cut between ${seconds(startSeconds)} and ${seconds(endSeconds)}: put the missing picture back, or shorten the black to ${seconds(maxSeconds)}.`,
      },
    );
  },
});
