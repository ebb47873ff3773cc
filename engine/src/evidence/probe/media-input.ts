import { demuxersFor, forcedDemuxerFor } from "./media-type.ts";

/** What libav may open: this one file, with the demuxers of its type. Playlists and links in a file lead nowhere. */
export function inputOptions(contentType: string): Record<string, string> {
  return { protocol_whitelist: "file,pipe", format_whitelist: demuxersFor(contentType).join(",") };
}

/** The end of the arguments that ffmpeg and ffprobe read a file by. `first` goes before the file, as options of it. */
export function inputArguments(input: { contentType: string; inputPath: string; first?: readonly string[] }): string[] {
  const { contentType, inputPath, first = [] } = input;
  const forced = forcedDemuxerFor(contentType);
  const options = Object.entries(inputOptions(contentType)).flatMap(([name, value]) => [`-${name}`, value]);
  return [...options, ...(forced === null ? [] : ["-f", forced]), ...first, "-i", `file:${inputPath}`];
}

/** For ffmpeg alone: nothing is asked on the terminal, and only errors are written. */
export const quietFfmpeg = ["-nostdin", "-hide_banner", "-nostats", "-loglevel", "error"] as const;
