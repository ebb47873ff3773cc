import type { Readable } from "node:stream";
import { createLoudnessReader, createSpanReader } from "./decode-detectors.ts";
import { decodePipes, type DecodePlan } from "./decode-graph.ts";
import { createClock, type LogEntry, readFrames, readLog, readSound } from "./decode-streams.ts";
import type { Frame, FrameFormat, LoudnessEvidence, Sound, Span, StreamEnd } from "./evidence.ts";

/** Who takes what. What is left out is neither computed nor sent; a promise holds the decoder back. */
export type DecodeConsumers = {
  smallFrames?: (frame: Frame, format: FrameFormat) => void | Promise<void>;
  /** The first frame of every half second, at most 1280 pixels on its longer side: for reading. */
  sampledFrames?: (frame: Frame, format: FrameFormat) => void | Promise<void>;
  sound?: (sound: Sound) => void | Promise<void>;
  black?: boolean;
  freezes?: boolean;
  silences?: boolean;
  loudness?: boolean;
};

/** Null: not asked for, or the file has no such stream. */
export type DecodeOutputs = {
  smallFrames: StreamEnd | null;
  sampledFrames: StreamEnd | null;
  sound: StreamEnd | null;
  black: Span[] | null;
  freezes: Span[] | null;
  silences: Span[] | null;
  loudness: LoudnessEvidence | null;
};

type Source = {
  plan: DecodePlan;
  pipe: (descriptor: number) => Readable;
  consumers: DecodeConsumers;
  /** Called with the time that each stream has come to. Its throw ends the reading. */
  onTime: (stream: "picture" | "sound", seconds: number) => void;
};

/** Reads all pipes at once until the decoder closes them. */
export async function readOutputs(source: Source): Promise<DecodeOutputs> {
  const { consumers, plan, pipe, onTime } = source;
  const black = createSpanReader({ start: "lavfi.black_start", end: "lavfi.black_end" });
  const freezes = createSpanReader({ start: "lavfi.freezedetect.freeze_start", end: "lavfi.freezedetect.freeze_end" });
  const silences = createSpanReader({ start: "lavfi.silence_start", end: "lavfi.silence_end" });
  const loudness = createLoudnessReader();
  const [small, sampled, meter, sound] = await Promise.all([
    readPicture(source, "small", (entry) => {
      black.read(entry);
      freezes.read(entry);
    }),
    readPicture(source, "sampled", () => undefined),
    readLog(pipe(decodePipes.soundLog), {
      usualStepSeconds: 0.1,
      time: (seconds) => onTime("sound", seconds ?? 0),
      entry(entry) {
        silences.read(entry);
        loudness.read(entry);
      },
    }),
    readSound(pipe(decodePipes.sound), (piece) => {
      onTime("sound", piece.startSeconds);
      return consumers.sound?.(piece);
    }),
  ]);
  const isUsed = (descriptor: number) =>
    plan.chains.some(({ log, bytes }) => log === descriptor || bytes === descriptor);
  const soundSeconds = Math.max(meter.durationSeconds, sound.durationSeconds);
  const detectors = plan.chains.map((chain) => chain.filters).join();
  return {
    smallFrames: isUsed(decodePipes.small) ? small : null,
    sampledFrames: isUsed(decodePipes.sampled) ? sampled : null,
    sound: isUsed(decodePipes.sound) ? sound : null,
    black: detectors.includes("blackdetect") ? black.finish(small.durationSeconds) : null,
    freezes: detectors.includes("freezedetect") ? freezes.finish(small.durationSeconds) : null,
    silences: detectors.includes("silencedetect") ? silences.finish(soundSeconds) : null,
    loudness: detectors.includes("ebur128") ? loudness.finish() : null,
  };
}

async function readPicture(
  source: Source,
  name: "small" | "sampled",
  onEntry: (entry: LogEntry) => void,
): Promise<StreamEnd> {
  const pipe = source.pipe(decodePipes[name]);
  const format = source.plan.video?.[name] ?? null;
  const take = name === "small" ? source.consumers.smallFrames : source.consumers.sampledFrames;
  const clock = createClock();
  const logged = readLog(source.pipe(name === "small" ? decodePipes.smallLog : decodePipes.sampledLog), {
    usualStepSeconds: 1 / (format?.framesPerSecond ?? 25),
    entry: onEntry,
    time(seconds) {
      if (take !== undefined) clock.add(seconds);
      if (name === "small" || source.plan.video?.small === null) source.onTime("picture", seconds ?? 0);
    },
  }).finally(() => clock.end());
  if (format === null || take === undefined) {
    pipe.resume();
    return logged;
  }
  const matrix = source.plan.video?.matrix ?? "bt709";
  const accept = (frame: Frame) => take(frame, format);
  const [end] = await Promise.all([logged, readFrames({ pipe, format, matrix, nextTime: clock.next, accept })]);
  return end;
}
