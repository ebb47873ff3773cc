import { type JailedProcess, spawnJailed } from "../../jail/jail.ts";
import type { FfmpegPrograms } from "./decoder.ts";
import { type DecodeChain, decodeExtraPipes, type DecodePlan, seekSeconds } from "./decode-graph.ts";
import { inputArguments, quietFfmpeg } from "../probe/media-input.ts";

export type DecodeRun = {
  file: string;
  plan: DecodePlan;
  cpuSeconds: number;
  timeoutSeconds: number;
  signal: AbortSignal | undefined;
};

/** Starts the system's ffmpeg on the whole plan: one process, one decode, every output at once. */
export function startFfmpeg(programs: FfmpegPrograms, run: DecodeRun): Promise<JailedProcess> {
  return spawnJailed({
    program: programs.ffmpeg,
    visiblePaths: programs.visiblePaths,
    args: (inputPath) => ffmpegArguments(run.plan, inputPath),
    inputFile: run.file,
    extraPipes: decodeExtraPipes,
    limits: { addressSpaceBytes: 4 * 2 ** 30, cpuSeconds: run.cpuSeconds },
    timeoutSeconds: run.timeoutSeconds,
    signal: run.signal,
  });
}

export function ffmpegArguments(plan: DecodePlan, inputPath: string): string[] {
  const outputs = plan.chains.flatMap((chain, index) => ["-map", `[out${index}]`, ...outputOf(chain)]);
  // More threads hold more frames in memory than they save time.
  const seek = plan.range === null ? 0 : seekSeconds(plan.range);
  const input = ffmpegInput({
    contentType: plan.contentType,
    inputPath,
    threads: 4,
    ...(seek > 0 && { seekSeconds: seek, keepsTimes: true }),
  });
  return [...input, "-filter_complex", graphOf(plan), ...outputs];
}

/** Everything up to and with the input: quiet, and unable to open anything but this one file as what it says it is. */
export function ffmpegInput(options: {
  contentType: string;
  inputPath: string;
  threads: number;
  seekSeconds?: number;
  /** Times stay those of the whole file, and frames between the key frame and that time are not dropped. */
  keepsTimes?: boolean;
}): string[] {
  const { contentType, inputPath, threads, seekSeconds, keepsTimes } = options;
  const first = [
    "-threads",
    String(threads),
    // No honest picture is larger than this; a decompression bomb is.
    "-max_pixels",
    String(16_384 * 16_384),
    // We turn the picture ourselves, after making it small.
    "-noautorotate",
    ...(keepsTimes === true ? ["-noaccurate_seek"] : []),
    ...(seekSeconds === undefined ? [] : ["-ss", String(seekSeconds)]),
  ];
  const times = keepsTimes === true ? ["-copyts", "-start_at_zero"] : [];
  return [...quietFfmpeg, ...times, ...inputArguments({ contentType, inputPath, first })];
}

function outputOf(chain: DecodeChain): string[] {
  // Without passthrough ffmpeg repeats and drops frames to even out the rate.
  const timing = chain.from === "video" ? ["-fps_mode", "passthrough"] : [];
  if (chain.bytes === null) return [...timing, "-f", "null", "-"];
  return [...timing, "-f", chain.from === "video" ? "rawvideo" : "s16le", `pipe:${chain.bytes}`];
}

function graphOf(plan: DecodePlan): string {
  return (["video", "audio"] as const)
    .flatMap((from) => {
      const chains = plan.chains.map((chain, index) => ({ chain, index })).filter(({ chain }) => chain.from === from);
      if (chains.length === 0) return [];
      const streamIndex = (from === "video" ? plan.video : plan.audio)?.streamIndex ?? 0;
      const split = `${from === "video" ? "split" : "asplit"}=${chains.length}`;
      const pads = chains.map(({ index }) => `[in${index}]`).join("");
      const rest = chains.map(({ chain, index }) => `[in${index}]${filtersOf(chain)}[out${index}]`);
      return [`[0:${streamIndex}]${split}${pads}`, ...rest];
    })
    .join(";");
}

function filtersOf(chain: DecodeChain): string {
  const metadata = chain.from === "video" ? "metadata" : "ametadata";
  // "direct" writes each line at once: buffered, the time of a frame would arrive long after the frame.
  const log = chain.log === null ? [] : [`${metadata}=mode=print:file=pipe\\\\:${chain.log}:direct=1`];
  const mark = chain.isMarked ? [`${metadata}=mode=add:key=frame:value=1`] : [];
  return [chain.filters, ...mark, ...log].join(",");
}
