import { fileURLToPath } from "node:url";
import type { MediaType } from "../evidence/probe/media-type.ts";
import { loadPacks } from "../rules/load-packs.ts";

/** A file of the golden kit. */
export function golden(name: string): string {
  return fileURLToPath(new URL(`../../golden/files/${name}`, import.meta.url));
}

const types: Readonly<Record<string, string>> = {
  mp4: "video/mp4",
  mkv: "video/x-matroska",
  webm: "video/webm",
  m2v: "video/mpeg",
  m4a: "audio/mp4",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  ogg: "audio/ogg",
  gif: "image/gif",
  png: "image/png",
  webp: "image/webp",
  jpg: "image/jpeg",
  heic: "image/heic",
  avif: "image/avif",
  tiff: "image/tiff",
  bmp: "image/bmp",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  md: "text/markdown",
  csv: "text/csv",
  srt: "application/x-subrip",
  vtt: "text/vtt",
  txt: "text/plain",
};

/** The type that a file of that name would be declared as. */
export function mediaTypeOf(name: string): MediaType {
  const contentType = types[name.slice(name.lastIndexOf(".") + 1)] ?? "text/plain";
  const category = contentType.split("/", 1)[0];
  if (category === "video" || category === "audio" || category === "image") return { contentType, category };
  return { contentType, category: "document" };
}

/** A WAV file of 16-bit samples: `at` gives each channel's value (-1 to 1) at a time. */
export function makeWav(options: {
  seconds: number;
  sampleRate: number;
  channels: number;
  at: (seconds: number, channel: number) => number;
}): Buffer {
  const { seconds, sampleRate, channels } = options;
  const count = Math.round(seconds * sampleRate);
  const file = Buffer.alloc(44 + count * channels * 2);
  file.write("RIFF", 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(channels, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * channels * 2, 28);
  file.writeUInt16LE(channels * 2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36);
  file.writeUInt32LE(count * channels * 2, 40);
  for (let index = 0; index < count; index += 1) {
    for (let channel = 0; channel < channels; channel += 1) {
      const value = Math.round(options.at(index / sampleRate, channel) * 32_767);
      file.writeInt16LE(value, 44 + (index * channels + channel) * 2);
    }
  }
  return file;
}

/** The golden files that rules name: golden-rules gathers each once, and judges them. */
export async function filesNamedByRules(): Promise<Set<string>> {
  const packs = await loadPacks();
  const files = packs.flatMap(({ sources }) =>
    sources.flatMap(({ golden: named }) => [...(named?.fails ?? []), ...(named?.passes ?? [])]),
  );
  return new Set(files);
}
