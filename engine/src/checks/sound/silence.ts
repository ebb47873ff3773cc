import { Type } from "typebox";
import { defineCheckKind, type Hit } from "../check-kind.ts";
import { seconds } from "../format-numbers.ts";
import { hitsOf, isAtHead, isAtTail, lengthOf } from "../span-findings.ts";

/** Sound that drops out. Silence before and after it is asked for by those who join one advertisement to the next. */
export const silence = defineCheckKind({
  kind: "silence",
  about: "Silence inside the sound for longer than so many seconds, or a sound stream with nothing in it.",
  parameters: Type.Object({ maxSeconds: Type.Number({ minimum: 0 }), graveSeconds: Type.Number({ minimum: 0 }) }),
  appliesTo: ["video", "audio"],
  needs: () => ["silences"],
  run({ evidence: { silences, probe }, parameters: { maxSeconds, graveSeconds } }): Hit[] {
    const all = silences ?? [];
    const whole = all.find((span) => isAtHead(span) && isAtTail(span, probe));
    if (whole !== undefined) {
      return [
        {
          summary: `The sound stream is silent from beginning to end (${seconds(lengthOf(whole))}).`,
          headline: "Silent throughout",
          reasoning: `Nothing in ${seconds(lengthOf(whole))} is louder than −60 dBFS: the stream is there, but the mix is not in it.`,
          identity: "silent throughout",
          location: whole,
          recommendation:
            "Export again with the mix routed to this stream, or without a sound stream if none is meant.",
        },
      ];
    }
    return hitsOf(
      all.filter((span) => lengthOf(span) > maxSeconds && !isAtHead(span) && !isAtTail(span, probe)),
      {
        what: "The sound is silent",
        short: "Silent",
        limitSeconds: maxSeconds,
        graveSeconds,
        why: "Silent is what stays below −60 dBFS. Silence at the very beginning and end is not counted.",
        recommend: ({ startSeconds, endSeconds }) =>
          `Listen to ${seconds(startSeconds)} to ${seconds(endSeconds)}: restore the sound that dropped out, or lay room tone under a pause that is meant.`,
      },
    );
  },
});
