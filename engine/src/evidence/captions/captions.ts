import { fileURLToPath } from "node:url";
import { type JailedProcess, spawnJailed } from "../../jail/jail.ts";
import { explainExit, runWorker } from "../../jail/worker.ts";
import { type Decoder, type FfmpegPrograms, findDecoder } from "../decode/decoder.ts";
import type { CaptionEvidence, Cue } from "../evidence.ts";
import type { FileGatherOptions } from "../gatherer.ts";
import { isTextCaption } from "../probe/caption-codecs.ts";
import { inputArguments, quietFfmpeg } from "../probe/media-input.ts";
import { readCaptions } from "./read-captions.ts";

/** What captions-worker.ts is asked: which of the subtitle streams, counted from 0. */
export type CaptionsRequest = { contentType: string; streams: number[] };

/** Its answer: each stream as a WebVTT file. */
export type CaptionsAnswer = string[];

const maxStreams = 24;
const maxTrackBytes = 8 * 2 ** 20;
const timeoutSeconds = 600;

type Options = Pick<FileGatherOptions, "file" | "mediaType" | "probe" | "signal"> & {
  /** For the conformance suite: the one that was found otherwise. */
  decoder?: Decoder | undefined;
};

/** The subtitle streams of a film or a sound that are text. Nothing else is decoded. Null when the file is neither. */
export async function gatherCaptions(options: Options): Promise<CaptionEvidence | null> {
  const { probe } = options;
  if (probe.kind !== "video" && probe.subtitleStreams.length === 0) return null;
  const texts = probe.subtitleStreams
    .map((stream, index) => ({ ...stream, index }))
    .filter(({ codec }) => isTextCaption(codec));
  const found = texts.slice(0, maxStreams);
  if (found.length === 0) return { tracks: [] };
  const decoder = options.decoder ?? (await findDecoder());
  const streams = found.map(({ index }) => index);
  const files =
    decoder.kind === "ffmpeg"
      ? await byFfmpeg({ ...options, programs: decoder.programs, streams })
      : await byNodeAv({ ...options, streams });
  return {
    tracks: found.map(({ codec, language }, index) => ({ language, codec, cues: cuesOf(files[index] ?? "") })),
    ...(texts.length > maxStreams && {
      omissions: [{ what: `Only the first ${maxStreams} of ${texts.length} caption tracks were read.` }],
    }),
  };
}

/** An empty track is one; what holds nothing but unusable times is as good as empty. */
function cuesOf(file: string): Cue[] {
  if (!file.includes("-->")) return [];
  try {
    return readCaptions(Buffer.from(file)).cues ?? [];
  } catch {
    return [];
  }
}

async function byFfmpeg(options: Options & { programs: FfmpegPrograms; streams: number[] }): Promise<CaptionsAnswer> {
  const { programs, streams } = options;
  const { contentType } = options.mediaType;
  const child = await spawnJailed({
    program: programs.ffmpeg,
    visiblePaths: programs.visiblePaths,
    args: (inputPath) => [
      ...quietFfmpeg,
      ...inputArguments({ contentType, inputPath }),
      ...streams.flatMap((stream, index) => ["-map", `0:s:${stream}`, "-f", "webvtt", `pipe:${3 + index}`]),
    ],
    inputFile: options.file,
    extraPipes: streams.length,
    limits: { addressSpaceBytes: 2 * 2 ** 30, cpuSeconds: timeoutSeconds },
    timeoutSeconds,
    signal: options.signal,
  });
  child.pipe(1).resume();
  const files = await Promise.all(streams.map((_, index) => readAll(child, 3 + index)));
  const exit = await child.ended;
  options.signal.throwIfAborted();
  if (exit.reason !== "exited" || exit.signal !== null) throw explainExit(exit, "captions");
  return files;
}

/** A track that is longer than anybody speaks is cut off; reading on lets the others come through. */
async function readAll(child: JailedProcess, descriptor: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of child.pipe(descriptor) as AsyncIterable<Buffer>) {
      if (bytes < maxTrackBytes) pieces.push(piece);
      bytes += piece.length;
    }
  } catch {
    // The child was stopped; its end says why.
  }
  return Buffer.concat(pieces).toString("utf8");
}

function byNodeAv({ streams, ...options }: Options & { streams: number[] }): Promise<CaptionsAnswer> {
  return runWorker<CaptionsAnswer>({
    module: fileURLToPath(new URL("./captions-worker.ts", import.meta.url)),
    request: { contentType: options.mediaType.contentType, streams } satisfies CaptionsRequest,
    inputFile: options.file,
    what: "captions",
    timeoutSeconds,
    signal: options.signal,
  });
}
