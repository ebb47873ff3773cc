/** The others are pictures of letters, or ride inside the picture. */
const textCodecs: ReadonlySet<string> = new Set(["subrip", "srt", "mov_text", "webvtt", "ass", "ssa", "text"]);

/** Whether subtitles of this codec are stored as text, by libav's name. */
export function isTextCaption(codec: string): boolean {
  return textCodecs.has(codec);
}
