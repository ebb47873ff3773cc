import { AnalysisError } from "../../analysis-error.ts";
import type { JailedProcess } from "../../jail/jail.ts";
import { explainExit } from "../../jail/worker.ts";
import { startFfmpeg } from "./decode-ffmpeg.ts";
import { type DecodePlan, type DecodeRange, planDecode } from "./decode-graph.ts";
import { startNodeAv } from "./decode-node-av.ts";
import { type DecodeConsumers, type DecodeOutputs, readOutputs } from "./decode-outputs.ts";
import { type Decoder, findDecoder, findNodeAv } from "./decoder.ts";
import { explainOpenFailure } from "./open-failure.ts";
import type { Probe } from "../probe/probe-shape.ts";
import { tooLong } from "../probe/too-long.ts";

export type DecodeOptions = {
  file: string;
  contentType: string;
  probe: Probe;
  consumers: DecodeConsumers;
  /** Left out: the whole file. */
  range?: DecodeRange | undefined;
  maxDurationSeconds: number;
  timeoutSeconds?: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
  /** For the conformance suite: the one that was found otherwise. */
  decoder?: Decoder | undefined;
};

export type Decoded = DecodeOutputs & {
  /** What the decoder complained about: damaged packets, mostly. */
  complaints: string[];
};

/** Decodes picture and sound once, in one jailed process, and hands on whatever is wanted while it runs. */
export async function decode(options: DecodeOptions): Promise<Decoded> {
  const { consumers, probe } = options;
  const plan = planDecode(probe, options.contentType, {
    smallFrames: consumers.smallFrames !== undefined,
    textFrames: consumers.textFrames !== undefined,
    textSampling: consumers.textSampling,
    sound: consumers.sound !== undefined,
    black: consumers.black ?? false,
    freezes: consumers.freezes ?? false,
    silences: consumers.silences ?? false,
    loudness: consumers.loudness ?? false,
    range: options.range,
  });
  if (plan === null) return nothing;
  const decoder = await chooseDecoder(options);
  if (decoder.kind === "none") {
    throw new AnalysisError(
      "internal_error",
      "This worker has no audio and video decoder. The operator must install one.",
    );
  }
  const failure = new AbortController();
  const signal = options.signal === undefined ? failure.signal : AbortSignal.any([options.signal, failure.signal]);
  const timeoutSeconds = options.timeoutSeconds ?? 4 * 3600;
  const run = { file: options.file, plan, signal, timeoutSeconds, cpuSeconds: timeoutSeconds * 4 };
  const child = decoder.kind === "ffmpeg" ? await startFfmpeg(decoder.programs, run) : await startNodeAv(run);
  try {
    const reading = readOutputs({ plan, consumers, pipe: child.pipe, onTime: watchTime(options, plan) });
    const outputs = await Promise.race([reading, whenKilled(child)]);
    const exit = await child.ended;
    options.signal?.throwIfAborted();
    if (exit.reason !== "exited" || exit.signal !== null) throw explainExit(exit, "film");
    // A later stretch may lie beyond what the file holds, whatever its header said.
    if (!hasAnything(outputs) && (plan.range?.soundFromSeconds ?? 0) === 0) throw explainOpenFailure(exit.stderr);
    return { ...outputs, complaints: exit.stderr.split("\n").filter((line) => line.trim() !== "") };
  } catch (error) {
    // A consumer that threw leaves a decoder that waits to be read.
    failure.abort(error);
    const exit = await child.ended;
    options.signal?.throwIfAborted();
    if (exit.reason === "timeout") throw explainExit(exit, "film");
    throw error;
  }
}

/** The pipes of a killed child may end as if all were well, while a consumer that never answers is still waited for. */
async function whenKilled(child: JailedProcess): Promise<never> {
  const exit = await child.ended;
  if (exit.reason !== "exited") throw explainExit(exit, "film");
  return new Promise<never>(() => undefined);
}

const nothing: Decoded = {
  smallFrames: null,
  textFrames: null,
  sound: null,
  black: null,
  freezes: null,
  silences: null,
  loudness: null,
  loudnessSteps: null,
  complaints: [],
};

/** Animated WebP is beyond every ffmpeg that systems ship so far, but not beyond node-av. */
async function chooseDecoder(options: DecodeOptions): Promise<Decoder> {
  if (options.contentType === "image/webp") return findNodeAv();
  return options.decoder ?? (await findDecoder());
}

/** The picture leads where there is one. A file that plays on past the limit, whatever its header said, is stopped. */
function watchTime(options: DecodeOptions, plan: DecodePlan): (stream: "picture" | "sound", seconds: number) => void {
  const leader = plan.video === null ? "sound" : "picture";
  const { range } = plan;
  const start = range?.pictureFromSeconds ?? 0;
  const whole = (range?.untilSeconds ?? options.probe.durationSeconds ?? 0) - start;
  return (stream, seconds) => {
    if (seconds > options.maxDurationSeconds) throw tooLong(seconds, options.maxDurationSeconds);
    if (stream === leader && whole > 0) options.onProgress?.(Math.min(1, Math.max(0, seconds - start) / whole));
  };
}

function hasAnything(outputs: DecodeOutputs): boolean {
  const { smallFrames, textFrames, sound, loudness } = outputs;
  const counts = [smallFrames, textFrames, sound].flatMap((end) => (end === null ? [] : [end.count]));
  const measured = loudness === null ? [] : [loudness.curve.momentaryLufs.length];
  const known = [...counts, ...measured];
  return known.length === 0 || known.some((count) => count > 0);
}
