import type { Evidence } from "../evidence/evidence.ts";
import { plainText } from "../text/asset-text.ts";

export type Rewording = {
  quote: string;
  by: string;
  /** True: nothing else is left of the asset's words. */
  isAlone?: boolean;
};

/** The same evidence as if `by` stood in the place of the quote, wherever it is shown, said or written; null: nowhere. */
export function rewordEvidence(evidence: Evidence, { quote, by, isAlone = false }: Rewording): Evidence | null {
  const words = plainText(quote).trim().split(/\s+/u);
  if (words.join("") === "") return null;
  const pattern = new RegExp(words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&")).join("\\s+"), "gu");
  let isFound = false;
  function reword<Piece extends { text: string }>(pieces: readonly Piece[]): Piece[] {
    return pieces.flatMap((piece) => {
      const before = plainText(piece.text);
      const text = before.replaceAll(pattern, () => by);
      if (text === before) return isAlone ? [] : [piece];
      isFound = true;
      return [{ ...piece, text: isAlone ? by : text }];
    });
  }
  const { supers, speech, captions, document } = evidence;
  const reworded: Evidence = {
    ...evidence,
    supers: supers && { ...supers, supers: reword(supers.supers) },
    speech: speech && { ...speech, segments: reword(speech.segments) },
    captions: captions && {
      ...captions,
      tracks: captions.tracks.map((track) => ({ ...track, cues: reword(track.cues) })),
    },
    document: document && {
      ...document,
      pages: reword(document.pages),
      cues: document.cues && reword(document.cues),
    },
  };
  return isFound ? reworded : null;
}
