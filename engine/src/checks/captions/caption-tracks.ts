import { lazily } from "../../memoize.ts";
import type { Cue, Evidence } from "../../evidence/evidence.ts";

export type CaptionTrack = {
  /** For sentences: "the caption file", "the English caption track". */
  name: string;
  /** What tells it from the other tracks in the next version. */
  key: string;
  cues: Cue[];
};

const languages = lazily(() => new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }));

/** The captions of an asset that have words: tracks inside a film, or a caption file. In order of time. */
export function captionTracks({ captions, document }: Pick<Evidence, "captions" | "document">): CaptionTrack[] {
  const inside = (captions?.tracks ?? []).map(({ language, cues }) => {
    const name = nameOfLanguage(language);
    return {
      name: name === null ? "the caption track" : `the ${name} caption track`,
      key: language ?? "captions",
      cues,
    };
  });
  const cues = document?.cues ?? [];
  const file = { name: "the caption file", key: "captions", cues };
  return [...inside, file]
    .map((track) => ({
      ...track,
      cues: track.cues
        .filter(({ text }) => text.trim() !== "")
        .toSorted((a, b) => a.startSeconds - b.startSeconds || a.endSeconds - b.endSeconds),
    }))
    .filter(({ cues }) => cues.length > 0);
}

function nameOfLanguage(code: string | null): string | null {
  if (code === null || code === "und") return null;
  try {
    return languages().of(code) ?? null;
  } catch {
    return null;
  }
}
