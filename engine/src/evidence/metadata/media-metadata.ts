import { readMatroskaMetadata } from "./matroska-metadata.ts";
import type { MediaFile } from "./media-file.ts";
import type { MetadataCollector } from "./metadata-collector.ts";
import { readId3 } from "./id3.ts";
import { readMp4Metadata } from "./mp4-metadata.ts";
import { readRiffMetadata } from "./riff-metadata.ts";
import { findVorbisComments } from "./vorbis-comments.ts";

const headBytes = 256 * 1024;

/**
 * What sound and video say about their maker and place, by what the file starts with. Not libav's tags: of an MP3 whose
 * sound it cannot open it gives none at all, and it names two places for one film (golden files tagged.mp3, phone.mp4).
 */
export async function readMediaMetadata(file: MediaFile, found: MetadataCollector): Promise<void> {
  const head = await file.read(0, Math.min(file.sizeBytes, headBytes));
  const start = head.toString("latin1", 0, 12);
  if (start.startsWith("ID3")) readId3(await file.read(0, Math.min(file.sizeBytes, 4 * 2 ** 20)), found);
  else if (start.startsWith("RIFF") || start.startsWith("RF64")) await readRiffMetadata(file, found);
  else if (start.startsWith("fLaC") || start.startsWith("OggS")) findVorbisComments(head, found);
  else if (head.toString("hex", 0, 4) === "1a45dfa3") await readMatroskaMetadata(file, found);
  else if (/^....(?:ftyp|moov|wide|mdat|free|skip|pnot)/s.test(start)) await readMp4Metadata(file, found);
}
