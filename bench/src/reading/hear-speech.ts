import { atLeast, atMost, rounded, say } from "../report.ts";
import { wrongShare } from "./heard-words.ts";
import { gather, type Part } from "./reading-part.ts";
import { makeSpeechClips } from "./speech-kit.ts";

/** A clip with more wrong words than this must be doubtful. */
const badFrom = 0.25;
/** One with at most so many is heard well. With a fifth of its words wrong it is neither: whoever is asked to listen finds something. */
const goodUpTo = 0.1;

/** Spoken clips, clean and spoilt: doubt where doubt is due, and no words for what is not English. */
export const hearSpeech: Part = async ({ models, only }) => {
  const halves = { tune: emptyTally(), test: emptyTally() };
  using kit = makeSpeechClips();
  if (kit === null) {
    say("espeak-ng, sox or an ffmpeg with flite is not installed: no speech was made.");
    return { bars: [atLeast("clips of speech made", 0, 1)], figures: {} };
  }
  for (const { name, language, half, text, wav } of kit.clips.filter((clip) => clip.name.includes(only))) {
    const mediaType = { contentType: "audio/wav", category: "audio" } as const;
    const { speech, omissions } = await gather(models, { file: wav, mediaType, keys: ["speech"] });
    const segments = speech?.segments ?? [];
    const heard = segments.map((segment) => segment.text).join(" ");
    const isDoubted = segments.some(({ isDoubtful }) => isDoubtful) || omissions.length > 0;
    const wrong = wrongShare(text, heard);
    const tally = halves[half];
    tally.clips += 1;
    if (language !== "en") {
      tally.foreign += 1;
      if (heard.trim() === "" && omissions.length > 0) continue;
      tally.invented += 1;
      say(`invented   ${name}: ${heard}`);
    } else if (wrong > badFrom) {
      tally.bad += 1;
      if (isDoubted) tally.badDoubted += 1;
      else say(`believed   ${name}: ${rounded(wrong)} wrong: ${heard}`);
    } else {
      const isGood = wrong <= goodUpTo;
      tally[isGood ? "good" : "fair"] += 1;
      if (isDoubted) tally[isGood ? "goodDoubted" : "fairDoubted"] += 1;
      if (isDoubted) say(`doubted    ${name}: ${rounded(wrong)} wrong: ${heard}`);
    }
  }
  const { test } = halves;
  return {
    bars: [
      atLeast("share of the badly heard clips that are doubtful", test.badDoubted / Math.max(1, test.bad), 0.9),
      atMost("share of the well heard clips that are doubtful", test.goodDoubted / Math.max(1, test.good), 0.1),
      atMost("clips in another language with words that nobody said", test.invented + halves.tune.invented, 0),
    ],
    figures: halves,
  };
};

function emptyTally() {
  const english = { bad: 0, badDoubted: 0, fair: 0, fairDoubted: 0, good: 0, goodDoubted: 0 };
  return { clips: 0, ...english, foreign: 0, invented: 0 };
}
