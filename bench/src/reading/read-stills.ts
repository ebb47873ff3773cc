import { mediaTypeOf } from "@greenlit/engine/testing/golden.ts";
import { atMost, say } from "../report.ts";
import { gather, type Part } from "./reading-part.ts";
import { isReadOrNamed, stills } from "./stills.ts";

/** Stills that are turned, transparent, in rare colours, with accents, or in another script. */
export const readStills: Part = async ({ models, only }) => {
  const tally = { stills: 0, silent: 0 };
  for (const still of stills.filter(({ name }) => name.includes(only))) {
    const file = await still.make();
    const evidence = await gather(models, { file, mediaType: mediaTypeOf(still.name), keys: ["supers"] });
    const { omissions } = evidence;
    const supers = evidence.supers?.supers ?? [];
    tally.stills += 1;
    if (isReadOrNamed(still, { supers, omissions })) continue;
    tally.silent += 1;
    const read = supers.map(({ text }) => text).join(" | ");
    say(`silent     ${still.name} “${still.text}”; read: ${read}; not checked: ${omissions.join(" ")}`);
  }
  return { bars: [atMost("stills neither read nor named as not checked", tally.silent, 0)], figures: tally };
};
