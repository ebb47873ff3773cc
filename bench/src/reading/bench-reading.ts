import { openModels } from "@greenlit/engine/models/open-models.ts";
import type { Bench, Result } from "../report.ts";
import { hearSpeech } from "./hear-speech.ts";
import { readAnimations } from "./read-animations.ts";
import { readDocuments } from "./read-documents.ts";
import { readReplaced, readSupers } from "./read-films.ts";
import { readStills } from "./read-stills.ts";
import type { Part } from "./reading-part.ts";

const parts: Record<string, Part> = {
  supers: readSupers,
  replaced: readReplaced,
  animations: readAnimations,
  stills: readStills,
  speech: hearSpeech,
  documents: readDocuments,
};

/** What is not as it should be goes to the screen, so that a person can look at the file. */
export const benchReading: Bench = {
  about: `What is read and heard of kits whose truth is known. Parts: ${Object.keys(parts).join(", ")}; all of them without a name.`,
  async run(stack) {
    const models = stack.use(openModels());
    const [wanted = "", only = ""] = process.argv.slice(3);
    const chosen = Object.entries(parts).filter(([name]) => wanted === "" || name === wanted);
    if (chosen.length === 0)
      throw new Error(`There is no part "${wanted}". There are: ${Object.keys(parts).join(", ")}.`);
    const results: Result[] = [];
    for (const [name, read] of chosen) {
      const { bars, figures } = await read({ models, only });
      results.push({ bars, figures: { [name]: figures } });
    }
    return {
      bars: results.flatMap(({ bars }) => bars),
      figures: Object.assign({}, ...results.map(({ figures }) => figures)) as Record<string, unknown>,
    };
  },
};
