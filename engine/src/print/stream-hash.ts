import { fileURLToPath } from "node:url";
import { ffmpegInput } from "../evidence/decode/decode-ffmpeg.ts";
import { type Decoder, type FfmpegPrograms, findDecoder } from "../evidence/decode/decoder.ts";
import type { Probe } from "../evidence/probe/probe-shape.ts";
import { spawnJailed } from "../jail/jail.ts";
import { runWorker } from "../jail/worker.ts";
import type { StreamPrint } from "./print.ts";

type Options = {
  file: string;
  contentType: string;
  probe: Probe;
  signal?: AbortSignal | undefined;
  /** For tests: the one that was found otherwise. */
  decoder?: Decoder | undefined;
};

/** What stream-hash-worker.ts is asked, and answers. */
export type HashRequest = { contentType: string; streams: HashedStream[] };
export type HashAnswer = { sha256: string[] };
export type HashedStream = { index: number; kind: "video" | "audio"; codec: string };

const timeoutSeconds = 1800;

/**
 * The hash of what the picture and the sound are coded as, without the container around it: a copy into another
 * container has the same. Null where that cannot be told; the decode, which has to succeed anyway, says why.
 */
export async function hashStreams(options: Options): Promise<StreamPrint[] | null> {
  const { probe, contentType, signal } = options;
  const streams = [
    ...(probe.video === null
      ? []
      : [{ kind: "video" as const, index: probe.video.streamIndex, codec: probe.video.codec }]),
    ...(probe.audio === null
      ? []
      : [{ kind: "audio" as const, index: probe.audio.streamIndex, codec: probe.audio.codec }]),
  ];
  if (streams.length === 0) return null;
  const decoder = options.decoder ?? (await findDecoder());
  if (decoder.kind === "none") return null;
  try {
    const hashes =
      decoder.kind === "ffmpeg"
        ? await askFfmpeg(decoder.programs, streams, options)
        : (
            await runWorker<HashAnswer>({
              module: fileURLToPath(new URL("./stream-hash-worker.ts", import.meta.url)),
              request: { contentType, streams } satisfies HashRequest,
              inputFile: options.file,
              what: "film",
              timeoutSeconds,
              signal,
            })
          ).sha256;
    if (hashes.length !== streams.length) return null;
    return streams.map(({ kind, codec }, index) => ({ kind, codec, sha256: hashes[index] ?? "" }));
  } catch {
    signal?.throwIfAborted();
    return null;
  }
}

async function askFfmpeg(
  programs: FfmpegPrograms,
  streams: readonly HashedStream[],
  { file, contentType, probe, signal }: Options,
): Promise<string[]> {
  const child = await spawnJailed({
    program: programs.ffmpeg,
    visiblePaths: programs.visiblePaths,
    args: (inputPath) => [
      ...ffmpegInput({ contentType, inputPath, threads: 1 }),
      ...streams.flatMap(({ index }) => ["-map", `0:${index}`]),
      "-c",
      "copy",
      "-copyinkf",
      ...streams.flatMap((stream, place) => {
        const filter = bareFilter(stream, probe.container);
        return filter === null ? [] : [`-bsf:${place}`, filter];
      }),
      "-f",
      "streamhash",
      "-hash",
      "sha256",
      "pipe:1",
    ],
    inputFile: file,
    limits: { addressSpaceBytes: 4 * 2 ** 30, cpuSeconds: timeoutSeconds * 2 },
    timeoutSeconds,
    signal,
  });
  let text = "";
  for await (const piece of child.pipe(1) as AsyncIterable<Buffer>) text += piece.toString("latin1");
  const { reason, code } = await child.ended;
  if (reason !== "exited" || code !== 0) return [];
  return [...text.matchAll(/SHA256=([0-9a-f]{64})/g)].map((found) => found[1] ?? "");
}

/** Takes away what containers add: parameter sets and delimiters between pictures, headers before blocks of sound. */
function bareFilter({ codec }: HashedStream, container: string): string | null {
  if (codec === "h264") return "h264_mp4toannexb,filter_units=pass_types=1-5";
  if (codec === "hevc") return "hevc_mp4toannexb,filter_units=pass_types=0-31";
  return codec === "aac" && (container === "mpegts" || container === "aac") ? "aac_adtstoasc" : null;
}
