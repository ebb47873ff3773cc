import { open, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { AnalysisError } from "../../analysis-error.ts";
import { runWorker } from "../../jail/worker.ts";
import { type Decoder, findDecoder } from "../decode/decoder.ts";
import { hasClosedCaptions } from "./closed-captions.ts";
import { findCut } from "./cut-short.ts";
import type { MediaType } from "./media-type.ts";
import { probeDocument } from "./probe-document.ts";
import { probeWithFfprobe } from "./probe-ffprobe.ts";
import { probeImage } from "./probe-image.ts";
import { describeMedia } from "./probe-media.ts";
import type { Probe } from "./probe-shape.ts";
import type { RawProbe } from "./raw-probe.ts";
import { defaultMaxDurationSeconds, tooLong } from "./too-long.ts";

export type ProbeOptions = {
  file: string;
  mediaType: MediaType;
  maxDurationSeconds?: number | undefined;
  signal?: AbortSignal | undefined;
  /** For the conformance suite: the one that was found otherwise. */
  decoder?: Decoder | undefined;
};

/** What the file is. Throws an AnalysisError for what cannot be analysed: empty, damaged, protected, too long. */
export async function probeFile(options: ProbeOptions): Promise<Probe> {
  const { size: sizeBytes } = await stat(options.file);
  if (sizeBytes === 0) throw new AnalysisError("corrupt_media", "The file is empty. Upload it again.");
  const probe = await withCut(await probeByCategory(options, sizeBytes), options);
  const limit = options.maxDurationSeconds ?? defaultMaxDurationSeconds;
  if (probe.durationSeconds !== null && probe.durationSeconds > limit) throw tooLong(probe.durationSeconds, limit);
  return probe;
}

/** What demuxers play to its last byte without a word: sound and animations that break off. */
async function withCut(probe: Probe, { file, mediaType }: ProbeOptions): Promise<Probe> {
  if (probe.truncatedAtSeconds !== null || (probe.video === null && probe.audio === null)) return probe;
  const cut = await findCut(file, mediaType.contentType);
  if (cut === null) return probe;
  const playable = cut.playableSeconds ?? probe.durationSeconds;
  return {
    ...probe,
    durationSeconds: playable,
    containerDurationSeconds: cut.announcedSeconds,
    truncatedAtSeconds: playable ?? 0,
  };
}

/** Demuxes without decoding, by whichever library is here. Also used for animated images. */
export async function probeMedia(options: ProbeOptions & { sizeBytes: number }): Promise<Probe> {
  const { file, signal, mediaType } = options;
  await refusePlaylist(file);
  const decoder = options.decoder ?? (await findDecoder());
  if (decoder.kind === "none") {
    throw new AnalysisError(
      "internal_error",
      "This worker has no audio and video decoder. The operator must install one.",
    );
  }
  const raw =
    decoder.kind === "ffmpeg"
      ? await probeWithFfprobe(decoder.programs, { file, contentType: mediaType.contentType, signal })
      : await runWorker<RawProbe>({
          module: fileURLToPath(new URL("./probe-node-av-worker.ts", import.meta.url)),
          request: { contentType: mediaType.contentType },
          inputFile: file,
          what: "file",
          timeoutSeconds: 120,
          signal,
        });
  const probe = describeMedia(raw, options);
  if (probe.kind !== "video" || !(await hasClosedCaptions(file))) return probe;
  const what = "Closed captions that are hidden in the picture (CEA-608 or 708) were not read.";
  return { ...probe, omissions: [...(probe.omissions ?? []), { what }] };
}

function probeByCategory(options: ProbeOptions, sizeBytes: number): Promise<Probe> {
  const { category } = options.mediaType;
  if (category === "document") return probeDocument({ ...options, sizeBytes });
  const media = () => probeMedia({ ...options, sizeBytes });
  return category === "image" ? probeImage({ ...options, sizeBytes, probeMotion: media }) : media();
}

/** No demuxer that we allow opens one; saying what it is helps more than calling it damaged. */
async function refusePlaylist(file: string): Promise<void> {
  await using handle = await open(file, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
  const start = buffer.toString("latin1", 0, bytesRead).replace(/^\u00ef\u00bb\u00bf/, "");
  if (!start.startsWith("#EXTM3U") && !start.startsWith("ffconcat")) return;
  throw new AnalysisError("unsupported_media", "The file is a playlist, not the media itself. Send the media file.");
}
