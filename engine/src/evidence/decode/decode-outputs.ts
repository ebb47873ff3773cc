import type { Readable } from "node:stream";
import { createLoudnessReader, createSpanReader, type LoudnessSteps } from "./decode-detectors.ts";
import { decodePipes, type DecodePlan, type TextSampling } from "./decode-graph.ts";
import { createClock, type LogEntry, readFrames, readLog, readSound } from "./decode-streams.ts";
import type {
  Frame,
  FrameFormat,
  LoudnessEvidence,
  PlanarFormat,
  PlanarFrame,
  Sound,
  Span,
  StreamEnd,
} from "../evidence.ts";
import { createYuvToRgb } from "../pixels/yuv-to-rgb.ts";

/** Who takes what. What is left out is neither computed nor sent; a promise holds the decoder back. */
export type DecodeConsumers = {
  smallFrames?: (frame: Frame, format: FrameFormat) => void | Promise<void>;
  /**
   * For reading: 12 to 15 a second, at most 1280 pixels on the longer side. As planes, because turning all of them into
   * rgb would cost more than making them.
   */
  textFrames?: (frame: PlanarFrame, format: PlanarFormat) => void | Promise<void>;
  textSampling?: TextSampling;
  sound?: (sound: Sound) => void | Promise<void>;
  black?: boolean;
  freezes?: boolean;
  silences?: boolean;
  loudness?: boolean;
};

/** Null: not asked for, or the file has no such stream. */
export type DecodeOutputs = {
  smallFrames: StreamEnd | null;
  textFrames: StreamEnd | null;
  sound: StreamEnd | null;
  black: Span[] | null;
  freezes: Span[] | null;
  silences: Span[] | null;
  loudness: LoudnessEvidence | null;
  /** What it was made of. */
  loudnessSteps: LoudnessSteps | null;
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
  const [small, text, meter, sound] = await Promise.all([
    readPicture(source, "small", (entry) => {
      black.read(entry);
      freezes.read(entry);
    }),
    readPicture(source, "text", () => undefined),
    readLog(pipe(decodePipes.soundLog), {
      usualStepSeconds: 0.1,
      time: (seconds) => onTime("sound", seconds ?? 0),
      entry(entry) {
        silences.read(entry);
        loudness.read(entry);
      },
    }),
    readSound(pipe(decodePipes.sound), {
      channels: plan.audio?.soundChannels ?? 1,
      fromSeconds: plan.range?.soundFromSeconds ?? 0,
      accept(piece) {
        onTime("sound", piece.startSeconds);
        return consumers.sound?.(piece);
      },
    }),
  ]);
  const isUsed = (descriptor: number) =>
    plan.chains.some(({ log, bytes }) => log === descriptor || bytes === descriptor);
  const soundSeconds = Math.max(meter.durationSeconds, sound.durationSeconds);
  const detectors = plan.chains.map((chain) => chain.filters).join();
  return {
    smallFrames: isUsed(decodePipes.small) ? small : null,
    textFrames: isUsed(decodePipes.text) ? text : null,
    sound: isUsed(decodePipes.sound) ? sound : null,
    black: detectors.includes("blackdetect") ? black.finish(small.durationSeconds) : null,
    freezes: detectors.includes("freezedetect") ? freezes.finish(small.durationSeconds) : null,
    silences: detectors.includes("silencedetect") ? silences.finish(soundSeconds) : null,
    loudness: detectors.includes("ebur128") ? loudness.finish() : null,
    loudnessSteps: detectors.includes("ebur128") ? loudness.steps : null,
  };
}

/** The stream whose log tells how far the picture has come: the first of these that there is. */
const pictureStreams = ["small", "text"] as const;

type PictureStream = (typeof pictureStreams)[number];

/** Frames that wait while a model works, which takes as long as two seconds of film: 37 MB together. */
const ahead: Record<PictureStream, number> = { small: 48, text: 24 };

async function readPicture(
  source: Source,
  name: PictureStream,
  onEntry: (entry: LogEntry) => void,
): Promise<StreamEnd> {
  const pipe = source.pipe(decodePipes[name]);
  const format = source.plan.video?.[name] ?? null;
  const take = takerOf(source, name);
  const leader = pictureStreams.find((stream) => source.plan.video?.[stream] !== null);
  const clock = createClock();
  const logged = readLog(source.pipe(decodePipes[`${name}Log`]), {
    usualStepSeconds: 1 / (format?.framesPerSecond ?? 25),
    entry: onEntry,
    time(seconds) {
      if (take !== null) clock.add(seconds);
      if (name === leader) source.onTime("picture", seconds ?? 0);
    },
  }).finally(() => clock.end());
  if (format === null || take === null) {
    pipe.resume();
    return logged;
  }
  const [end] = await Promise.all([
    logged,
    readFrames({ pipe, format, ahead: ahead[name], nextTime: clock.next, accept: take }),
  ]);
  return end;
}

/** Who takes the planes of a stream's frames; of the small ones also rgb. Null: nobody does. */
function takerOf(
  { plan, consumers }: Source,
  name: PictureStream,
): ((frame: PlanarFrame) => void | Promise<void>) | null {
  const format = plan.video?.[name] ?? null;
  const matrix = plan.video?.matrix ?? "bt709";
  if (format === null) return null;
  if (name === "text") {
    const take = consumers.textFrames;
    return take === undefined ? null : (frame) => take(frame, { ...format, matrix });
  }
  const take = consumers.smallFrames;
  if (take === undefined) return null;
  const { convert } = createYuvToRgb({ ...format, matrix });
  const pixels = new Uint8Array(format.width * format.height * 3);
  return ({ index, seconds, yuv }) => {
    let isConverted = false;
    const frame = {
      index,
      seconds,
      planes: { yuv, matrix },
      get pixels() {
        if (!isConverted) convert(yuv, pixels);
        isConverted = true;
        return pixels;
      },
    };
    return take(frame, format);
  };
}
