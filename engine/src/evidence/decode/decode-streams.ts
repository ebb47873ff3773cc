import type { Readable } from "node:stream";
import { readLines } from "../../jail/lines.ts";
import { type FrameFormat, type PlanarFrame, type Sound, soundSampleRate, type StreamEnd } from "../evidence.ts";

/** One frame of a log: its time and what the detectors wrote on it. */
export type LogEntry = { seconds: number | null; values: [key: string, value: string][] };

/**
 * Reads the log that runs beside a stream of frames. The lines of a frame are complete when the next one begins, but
 * its time is passed on at once: the holder of the frame is waiting for it.
 */
export async function readLog(
  pipe: Readable,
  on: { time: (seconds: number | null) => void; entry: (entry: LogEntry) => void; usualStepSeconds: number },
): Promise<StreamEnd> {
  let entry: LogEntry | undefined;
  let last = 0;
  let step = on.usualStepSeconds;
  let count = 0;
  for await (const line of readLines(pipe, 2 ** 16)) {
    const time = /^frame:\d+\s+pts:\S+\s+pts_time:(\S+)/.exec(line)?.[1];
    if (time === undefined) {
      const [key = "", value = ""] = line.split("=", 2);
      entry?.values.push([key, value]);
      continue;
    }
    if (entry !== undefined) on.entry(entry);
    const seconds = Number(time);
    entry = { seconds: Number.isFinite(seconds) ? seconds : null, values: [] };
    on.time(entry.seconds);
    if (count > 0 && seconds > last) step = seconds - last;
    if (seconds > last) last = seconds;
    count += 1;
  }
  if (entry !== undefined) on.entry(entry);
  return { count, durationSeconds: count === 0 ? 0 : last + step };
}

/** Times that wait for their frames, or a frame that waits for its time. */
export function createClock(): {
  add: (seconds: number | null) => void;
  next: () => Promise<number | null>;
  end: () => void;
} {
  const times: (number | null)[] = [];
  let waiting: ((seconds: number | null) => void) | undefined;
  let hasEnded = false;
  return {
    add(seconds) {
      if (waiting === undefined) times.push(seconds);
      else waiting(seconds);
      waiting = undefined;
    },
    async next() {
      const seconds = times.shift();
      if (seconds !== undefined) return seconds;
      if (hasEnded) return null;
      return new Promise((resolve) => (waiting = resolve));
    },
    end() {
      hasEnded = true;
      waiting?.(null);
      waiting = undefined;
    },
  };
}

/**
 * Pieces lie outside the heap, where the collector does not see that they add up: hundreds of frames would wait to be
 * freed. A small collection so often takes less than a millisecond. Without `--expose-gc` it is left to the collector.
 */
const releaseEveryBytes = 4 * 2 ** 20;

/**
 * Cuts a stream of planar pictures into frames and hands them on one by one, each with its time. `ahead`: so many are
 * kept for a consumer that is busy, so that the decoder works on meanwhile.
 */
export async function readFrames(options: {
  pipe: Readable;
  format: FrameFormat;
  ahead: number;
  nextTime: () => Promise<number | null>;
  accept: (frame: PlanarFrame) => void | Promise<void>;
}): Promise<void> {
  const { width, height, framesPerSecond } = options.format;
  const usualStep = 1 / (framesPerSecond ?? 25);
  const hand = createFrameQueue({ ...options, frameBytes: width * height * 1.5 });
  let yuv = await hand.nextBuffer();
  let filled = 0;
  let index = 0;
  let last = -usualStep;
  let unreleased = 0;
  for await (const piece of options.pipe as AsyncIterable<Buffer>) {
    unreleased += piece.length;
    if (unreleased > releaseEveryBytes) {
      unreleased = 0;
      globalThis.gc?.({ type: "minor" });
    }
    for (let offset = 0; offset < piece.length;) {
      const taken = Math.min(yuv.length - filled, piece.length - offset);
      yuv.set(piece.subarray(offset, offset + taken), filled);
      filled += taken;
      offset += taken;
      if (filled < yuv.length) continue;
      last = (await options.nextTime()) ?? last + usualStep;
      hand.on({ index, seconds: last, yuv });
      yuv = await hand.nextBuffer();
      filled = 0;
      index += 1;
    }
  }
  await hand.finish();
}

/** Frames on their way to a consumer that takes one at a time. Its failure is met where the next buffer is asked for. */
function createFrameQueue(options: {
  ahead: number;
  frameBytes: number;
  accept: (frame: PlanarFrame) => void | Promise<void>;
}) {
  const { ahead, frameBytes, accept } = options;
  /** Of the frames that are taken or wait, the oldest first: each gives back its buffer. */
  const taking: Promise<Uint8Array>[] = [];
  let made = 0;
  let latest: Promise<unknown> = Promise.resolve();
  return {
    on(frame: PlanarFrame): void {
      const taken = latest.then(async () => {
        await accept(frame);
        return frame.yuv;
      });
      taken.catch(() => undefined);
      latest = taken;
      taking.push(taken);
    },
    async nextBuffer(): Promise<Uint8Array> {
      if (made <= ahead) {
        made += 1;
        return new Uint8Array(frameBytes);
      }
      return (await taking.shift()) ?? new Uint8Array(frameBytes);
    },
    async finish(): Promise<void> {
      await latest;
    },
  };
}

/** Seconds of sound that wait while the model of speech is loaded or works: so the decoder and all else go on. */
const soundAhead = 30;

/** Cuts a stream of 16-bit samples of one or two channels into pieces of a second. */
export async function readSound(
  pipe: Readable,
  options: { channels: 1 | 2; fromSeconds?: number; accept: (sound: Sound) => void | Promise<void> },
): Promise<StreamEnd> {
  const { channels, fromSeconds = 0, accept } = options;
  const samples = new Int16Array(soundSampleRate * channels);
  const bytes = new Uint8Array(samples.buffer);
  const taking: Promise<void>[] = [];
  let latest = Promise.resolve();
  let filled = 0;
  let count = 0;
  const flush = async () => {
    const length = Math.floor(filled / 2 / channels);
    const heard = samples.slice(0, length * channels);
    const piece = {
      startSeconds: fromSeconds + count / soundSampleRate,
      samples: channels === 1 ? heard : mixDown(heard),
    };
    latest = latest.then(() => accept(piece));
    // Its failure is met below.
    latest.catch(() => undefined);
    taking.push(latest);
    if (taking.length > soundAhead) await taking.shift();
    count += length;
    filled = 0;
  };
  for await (const piece of pipe as AsyncIterable<Buffer>) {
    for (let offset = 0; offset < piece.length;) {
      const taken = Math.min(bytes.length - filled, piece.length - offset);
      bytes.set(piece.subarray(offset, offset + taken), filled);
      filled += taken;
      offset += taken;
      if (filled === bytes.length) await flush();
    }
  }
  if (filled >= 2) await flush();
  await latest;
  return { count, durationSeconds: count === 0 ? 0 : fromSeconds + count / soundSampleRate };
}

/** Of the power of both channels: what is left of two that have nothing in common is half. */
const cancelledShare = 0.02;

/** Two channels as one. Those in opposite phase would cancel each other out, and with them what is said: then one is enough. */
function mixDown(both: Int16Array): Int16Array {
  const mixed = new Int16Array(both.length / 2);
  let [left, power] = [0, 0];
  for (let at = 0; at < mixed.length; at += 1) {
    const [one, other] = [both[2 * at] as number, both[2 * at + 1] as number];
    const mean = (one + other) / 2;
    mixed[at] = mean;
    left += mean * mean;
    power += (one * one + other * other) / 2;
  }
  return left < cancelledShare * power ? mixed.map((_, at) => both[2 * at] as number) : mixed;
}
