import type { MediaKind } from "./probe-shape.ts";

/** What the file was declared and recognised as. */
export type MediaType = { contentType: string; category: MediaKind };

/**
 * The demuxers that may open a file of each type, by libav's names. Anything else is refused unseen: the playlist and
 * concat demuxers open other files, and an unusual demuxer is an attack surface that no honest file needs.
 */
const demuxersByContentType: Readonly<Record<string, readonly string[]>> = {
  "video/mp4": ["mov"],
  "video/quicktime": ["mov"],
  "video/webm": ["matroska", "webm"],
  "video/x-matroska": ["matroska", "webm"],
  "video/x-msvideo": ["avi"],
  "video/mpeg": ["mpeg", "mpegvideo"],
  "video/mp2t": ["mpegts"],
  "application/mxf": ["mxf"],
  "audio/mpeg": ["mp3"],
  "audio/mp4": ["mov"],
  "audio/x-m4a": ["mov"],
  "audio/aac": ["aac"],
  "audio/wav": ["wav"],
  "audio/x-wav": ["wav"],
  "audio/ogg": ["ogg"],
  "audio/flac": ["flac"],
  "audio/webm": ["matroska", "webm"],
  "image/gif": ["gif"],
  "image/png": ["apng"],
  "image/webp": ["webp_anim"],
  "image/avif": ["mov"],
};

export function demuxersFor(contentType: string): readonly string[] {
  return demuxersByContentType[contentType] ?? [];
}

/** Forced where libav needs more of a file than a short one has in order to recognise it. */
export function forcedDemuxerFor(contentType: string): string | null {
  return contentType === "video/mp2t" ? "mpegts" : null;
}

/** libav calls MP4 and QuickTime, and Matroska and WebM, by one name; people do not. */
export function containerName(formatName: string, contentType: string): string {
  if (formatName.includes("mov")) return contentType === "video/quicktime" ? "mov" : "mp4";
  if (formatName.includes("matroska")) return contentType.endsWith("/webm") ? "webm" : "matroska";
  return formatName.split(",", 1)[0] ?? formatName;
}
