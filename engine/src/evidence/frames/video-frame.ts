import { fileURLToPath } from "node:url";
import { spawnJailed } from "../../jail/jail.ts";
import { runWorker } from "../../jail/worker.ts";
import { matrixOf, sampledSize, turn } from "../decode/decode-graph.ts";
import { ffmpegInput } from "../decode/decode-ffmpeg.ts";
import { type Decoder, type FfmpegPrograms, findDecoder, findNodeAv } from "../decode/decoder.ts";
import type { VideoProbe } from "../probe/probe-shape.ts";

type Options = {
  file: string;
  contentType: string;
  video: VideoProbe;
  seconds: number;
  signal?: AbortSignal | undefined;
  /** For the conformance suite: the one that was found otherwise. */
  decoder?: Decoder | undefined;
};

/** What video-frame-worker.ts is asked, and answers. */
export type FrameRequest = { contentType: string; streamIndex: number; seconds: number; filters: string };
export type FrameAnswer = { jpegBase64: string | null };

const timeoutSeconds = 60;
const maxJpegBytes = 8 * 2 ** 20;

/** The frame that is seen at that time, upright, as a JPEG of at most 1,280 on its longer side. Null: there is none. */
export async function jpegOfMoment(options: Options): Promise<string | null> {
  const { contentType, video, seconds, file, signal } = options;
  // Animated WebP is beyond every ffmpeg that systems ship so far.
  const decoder = contentType === "image/webp" ? findNodeAv() : (options.decoder ?? (await findDecoder()));
  const request: FrameRequest = { contentType, streamIndex: video.streamIndex, seconds, filters: filtersFor(video) };
  if (decoder.kind === "ffmpeg") {
    const ask = (maySeek: boolean) => askFfmpeg(decoder.programs, { ...request, maySeek }, { file, signal });
    // A bare stream has no times to seek by: then from the start.
    return (await ask(true)) ?? ask(false);
  }
  if (decoder.kind === "none") return null;
  const answer = await runWorker<FrameAnswer>({
    module: fileURLToPath(new URL("./video-frame-worker.ts", import.meta.url)),
    request,
    inputFile: file,
    what: "film",
    memoryBytes: 128 * 2 ** 20,
    nativeBytes: nativeBytesFor(video),
    timeoutSeconds,
    signal,
  });
  return answer.jpegBase64;
}

/**
 * A decoder keeps up to 16 reference pictures, and each thread and filter has a few of its own. Measured on arm64 a
 * 1080p film needs about 150 MB here and on x64 about 100 MB more: this leaves room for twice that.
 */
function nativeBytesFor({ width, height }: VideoProbe): number {
  const pictureBytes = width * height * 3;
  return 256 * 2 ** 20 + 40 * pictureBytes;
}

/** JPEG means BT.601 in full range, whatever the film has. HDR is not tone-mapped: it looks flat, but shows the place. */
function filtersFor(video: VideoProbe): string {
  const { width, height } = sampledSize(video);
  const [across, down] = video.rotationDegrees % 180 === 0 ? [width, height] : [height, width];
  return [
    `scale=${across}:${down}:flags=area:in_color_matrix=${matrixOf(video)}:out_color_matrix=bt601:out_range=pc`,
    "format=yuvj420p",
    "setsar=1",
    ...turn(video.rotationDegrees),
  ].join(",");
}

async function askFfmpeg(
  programs: FfmpegPrograms,
  request: FrameRequest & { maySeek: boolean },
  { file, signal }: Pick<Options, "file" | "signal">,
): Promise<string | null> {
  const child = await spawnJailed({
    program: programs.ffmpeg,
    visiblePaths: programs.visiblePaths,
    args: (inputPath) => ffmpegArguments(request, inputPath),
    inputFile: file,
    limits: { addressSpaceBytes: 4 * 2 ** 30, cpuSeconds: timeoutSeconds * 2 },
    timeoutSeconds,
    signal,
  });
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of child.pipe(1) as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxJpegBytes) child.kill();
    else pieces.push(piece);
  }
  const { reason, code } = await child.ended;
  signal?.throwIfAborted();
  return reason === "exited" && code === 0 && size > 0 ? Buffer.concat(pieces).toString("base64") : null;
}

function ffmpegArguments(request: FrameRequest & { maySeek: boolean }, inputPath: string): string[] {
  const { contentType, streamIndex, seconds, filters, maySeek } = request;
  const input = ffmpegInput({ contentType, inputPath, threads: 2, ...(maySeek && { seekSeconds: seconds }) });
  const picture = maySeek ? filters : `select='gte(t,${seconds - 0.001})',${filters}`;
  const output = ["-c:v", "mjpeg", "-q:v", "4", "-f", "mjpeg", "pipe:1"];
  return [...input, "-map", `0:${streamIndex}`, "-frames:v", "1", "-vf", picture, ...output];
}
