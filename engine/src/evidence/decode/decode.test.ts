import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { AnalysisError } from "../../analysis-error.ts";
import { golden, makeWav, mediaTypeOf } from "../../testing/golden.ts";
import { descendantsOf } from "../../testing/processes.ts";
import { makeScratch } from "../../testing/scratch.ts";
import { decode } from "./decode.ts";
import { type DecodeRange, planDecode } from "./decode-graph.ts";
import type { DecodeConsumers } from "./decode-outputs.ts";
import { type Decoder, findFfmpeg, findNodeAv } from "./decoder.ts";
import type { Frame, FrameFormat, Sound } from "../evidence.ts";
import { probeFile } from "../probe/probe.ts";

/** Tolerances of the suite: one frame in time, 0.1 LU, 0.2 dB, 2 of 256 levels in the mean of a frame. */
const frameSeconds = 0.04;

const decoders: { name: string; decoder: Decoder | null }[] = [
  { name: "ffmpeg", decoder: await findFfmpeg() },
  { name: "node-av", decoder: findNodeAv() },
];

const needsProc = process.platform === "linux" ? false : "the processes are read from /proc";

for (const { name, decoder } of decoders) {
  const skip = decoder === null ? "no ffmpeg ≥ 5.1 is installed here" : false;
  const run = async (
    file: string,
    consumers: DecodeConsumers,
    options: { maxDurationSeconds?: number; signal?: AbortSignal; range?: DecodeRange } = {},
  ) => {
    const mediaType = mediaTypeOf(file);
    const shared = { file, maxDurationSeconds: options.maxDurationSeconds ?? 3600, decoder: decoder ?? undefined };
    const probe = await probeFile({ ...shared, maxDurationSeconds: 3600, mediaType });
    const { signal, range } = options;
    return decode({ ...shared, contentType: mediaType.contentType, probe, consumers, signal, range });
  };

  test(`${name}: black, freezes and silence are found to the frame`, { skip }, async () => {
    const found = await run(golden("scenes.mp4"), { black: true, freezes: true, silences: true });

    spansAre(found.black, [[0, 2]]);
    spansAre(found.freezes, [
      [0, 2],
      [4, 6],
    ]);
    spansAre(found.silences, [[1, 3]]);
    assert.equal(found.smallFrames, null);
    assert.equal(found.loudness, null);
  });

  test(`${name}: every frame comes once, with its own time`, { skip }, async () => {
    const seconds: number[] = [];

    const found = await run(golden("variable.mp4"), { smallFrames: (frame) => void seconds.push(frame.seconds) });

    assert.equal(found.smallFrames?.count, 50);
    assert.equal(seconds.length, 50);
    timesAre(seconds.slice(0, 4), [0, 0.1, 0.2, 0.3]);
    timesAre(seconds.slice(-3), [2.9, 2.9333, 2.9667]);
    near(found.smallFrames?.durationSeconds, 3, frameSeconds);
  });

  test(`${name}: a stretch of a film has the frames, the sound and the times of the whole`, { skip }, async () => {
    const range = { pictureFromSeconds: 31.98, soundFromSeconds: 32, meterFromSeconds: 32, untilSeconds: 48 };
    const [pictures, sounds]: [number[], number[]] = [[], []];

    const found = await run(
      golden("long.mp4"),
      {
        smallFrames: ({ seconds }) => void pictures.push(seconds),
        sound: ({ startSeconds }) => void sounds.push(startSeconds),
        black: true,
        silences: true,
        loudness: true,
      },
      { range },
    );

    assert.equal(pictures.length, 16 * 25);
    timesAre([pictures[0] ?? 0, pictures.at(-1) ?? 0], [32, 47.96]);
    assert.deepEqual([sounds[0], sounds.length], [32, 16]);
    spansAre(found.black, [[43, 46]]);
    spansAre(found.silences, [[42.01, 47.02]]);
    assert.equal(found.loudnessSteps?.momentaryLufs.length, 160);
    near(found.loudnessSteps?.startSeconds, 32, 0.001);
  });

  test(`${name}: small frames keep the shape of the picture, turned as it is seen`, { skip }, async () => {
    const { format, frames } = await collect(run, golden("turned.mp4"));

    assert.deepEqual([format.width, format.height], [64, 128]);
    const pixels = frames[3]?.pixels ?? new Uint8Array();
    // Stored left is red and right is blue; turned against the clock, blue is on top.
    assert.ok(colourAt(pixels, format, 0.5, 0.2).blue > 200 && colourAt(pixels, format, 0.5, 0.2).red < 60);
    assert.ok(colourAt(pixels, format, 0.5, 0.8).red > 200 && colourAt(pixels, format, 0.5, 0.8).blue < 60);
  });

  test(`${name}: odd sizes and pixel aspects decode`, { skip }, async () => {
    const { format, frames } = await collect(run, golden("odd.mp4"));

    assert.equal(frames.length, 10);
    near(format.width / format.height, 215 / 91, 0.06);
    assert.equal(frames[0]?.pixels.length, format.width * format.height * 3);
  });

  test(`${name}: larger frames for reading, 12 to 15 a second, each with its true time`, { skip }, async () => {
    const seconds: number[] = [];
    let bytes = 0;

    const found = await run(golden("scenes.mp4"), {
      textFrames(frame, { width, height, matrix }) {
        seconds.push(frame.seconds);
        assert.equal(frame.yuv.length, width * height * 1.5);
        assert.equal(matrix, "bt709");
        bytes += frame.yuv.length;
      },
    });

    timesAre(seconds.slice(0, 4), [0, 0.08, 0.16, 0.24]);
    assert.equal(found.textFrames?.count, 75);
    assert.equal(bytes, 75 * 160 * 90 * 1.5);
  });

  test(`${name}: the default sound stream is decoded to 16 kHz`, { skip }, async () => {
    const samples = await listen(run, golden("languages.mkv"));

    near(pitchOf(samples), 880, 50);
  });

  test(`${name}: channels in opposite phase do not cancel each other out`, { skip }, async () => {
    await using scratch = await makeScratch();
    const tone = (seconds: number) => 0.4 * Math.sin(2 * Math.PI * 440 * seconds);
    const at = (seconds: number, channel: number) => (channel === 0 ? tone(seconds) : -tone(seconds));
    const wav = makeWav({ seconds: 2, sampleRate: 44_100, channels: 2, at });

    const samples = await listen(run, await scratch.write("opposed.wav", wav));

    near(samples.length / 16_000, 2, 0.01);
    near(pitchOf(samples), 440, 20);
    assert.ok(levelOf(samples) > 0.1);
  });

  test(`${name}: sound that starts late is heard late`, { skip }, async () => {
    const samples = await listen(run, golden("late.mp4"));

    near(samples.length / 16_000, 2, 0.1);
    assert.ok(levelOf(samples.subarray(0, 15_500)) < 0.001);
    assert.ok(levelOf(samples.subarray(17_000, 31_000)) > 0.05);
  });

  test(`${name}: a stereo tone of -23 dBFS measures -23 LUFS`, { skip }, async () => {
    await using scratch = await makeScratch();
    const amplitude = 10 ** (-23 / 20);
    const tone = (seconds: number) => amplitude * Math.sin(2 * Math.PI * 1000 * seconds);
    const file = await scratch.write("tone.wav", makeWav({ seconds: 8, sampleRate: 48_000, channels: 2, at: tone }));

    const { loudness } = await run(file, { loudness: true });

    near(loudness?.integratedLufs, -23, 0.1);
    near(loudness?.maxShortTermLufs, -23, 0.1);
    near(loudness?.maxMomentaryLufs, -23, 0.1);
    near(loudness?.rangeLu, 0, 0.1);
    near(loudness?.truePeakDbtp, -23, 0.2);
    near(loudness?.curve.momentaryLufs.length, 80, 1);
    assert.deepEqual(
      loudness?.curve.shortTermLufs.slice(0, 29).filter((value) => value !== null),
      [],
    );
  });

  test(`${name}: a peak between samples is a true peak`, { skip }, async () => {
    await using scratch = await makeScratch();
    // A quarter of the sample rate, sampled 45° off its peaks: samples reach 0.5 × √½, the wave itself 0.5.
    const swell = (seconds: number) => Math.min(1, seconds, 2 - seconds);
    const wave = (seconds: number) => 0.5 * swell(seconds) * Math.sin(2 * Math.PI * 12_000 * seconds + Math.PI / 4);
    const file = await scratch.write("between.wav", makeWav({ seconds: 2, sampleRate: 48_000, channels: 2, at: wave }));

    const { loudness } = await run(file, { loudness: true });

    near(loudness?.truePeakDbtp, -6.02, 0.2);
  });

  test(`${name}: digital silence has no loudness, and is one silence`, { skip }, async () => {
    await using scratch = await makeScratch();
    const file = await scratch.write("silent.wav", makeWav({ seconds: 4, sampleRate: 8000, channels: 1, at: () => 0 }));

    const { loudness, silences } = await run(file, { loudness: true, silences: true });

    assert.deepEqual(
      [loudness?.integratedLufs, loudness?.truePeakDbtp, loudness?.maxMomentaryLufs],
      [null, null, null],
    );
    spansAre(silences, [[0, 4]]);
  });

  test(`${name}: 5.1 is weighed by channel and mixed to one`, { skip }, async () => {
    await using scratch = await makeScratch();
    const tone = (seconds: number) => 0.05 * Math.sin(2 * Math.PI * 1000 * seconds);
    // A loud low-frequency channel (the fourth) must not count.
    const at = (seconds: number, channel: number) => tone(seconds) * (channel === 3 ? 10 : 1);
    const file = await scratch.write("surround.wav", makeWav({ seconds: 2, sampleRate: 48_000, channels: 6, at }));
    let count = 0;
    const sound = ({ samples }: Sound) => void (count += samples.length);

    const { loudness } = await run(file, { loudness: true, sound });

    assert.equal(count, 32_000);
    // Two channels of -26 dBFS measure -26; here three count once and two 1.41 times.
    near(loudness?.integratedLufs, 20 * Math.log10(0.05) + 10 * Math.log10((3 + 2 * 1.41) / 2), 0.1);
  });

  test(`${name}: of more channels than any arrangement has, the first two are the programme`, { skip }, async () => {
    await using scratch = await makeScratch();
    const tone = (seconds: number, hertz: number) => 10 ** (-23 / 20) * Math.sin(2 * Math.PI * hertz * seconds);
    const at = (seconds: number, channel: number) => tone(seconds, channel < 2 ? 1000 : 3000) * (channel < 2 ? 1 : 4);

    for (const channels of [10, 12]) {
      const file = await scratch.write(`${channels}.wav`, makeWav({ seconds: 2, sampleRate: 48_000, channels, at }));
      const pieces: Sound[] = [];
      const { loudness } = await run(file, { loudness: true, sound: (piece) => void pieces.push(piece) });

      near(loudness?.integratedLufs, -23, 0.1);
      near(pitchOf(Int16Array.from(pieces.flatMap(({ samples }) => [...samples]))), 1000, 5);
    }
  });

  test(`${name}: animated images are decoded frame by frame`, { skip }, async () => {
    for (const type of ["gif", "png", "webp"]) {
      const { frames, format } = await collect(run, golden(`animated.${type}`));

      assert.ok(frames.length >= 8 && frames.length <= 10, `${type}: ${frames.length}`);
      assert.deepEqual([format.width, format.height], [64, 36]);
      near(frames.at(-1)?.seconds, 0.9, 0.02);
    }
  });

  test(`${name}: HDR keeps its code values and says so`, { skip }, async () => {
    const { format } = await collect(run, golden("hdr.mp4"));

    assert.equal(format.transfer, "pq");
  });

  test(`${name}: too_long when the film plays on past the limit`, { skip }, async () => {
    const running = run(golden("scenes.mp4"), { smallFrames: () => undefined }, { maxDurationSeconds: 3 });

    await assert.rejects(running, (error) => error instanceof AnalysisError && error.errorType === "too_long");
  });

  test(`${name}: what is left of a damaged film is decoded`, { skip }, async () => {
    await using scratch = await makeScratch();
    const whole = await readFile(golden("scenes.mp4"));
    const file = await scratch.write("cut.mp4", whole.subarray(0, whole.length * 0.7));

    const found = await run(file, { smallFrames: () => undefined });

    assert.ok((found.smallFrames?.count ?? 0) > 50);
  });

  test(
    `${name}: analyzer_crashed, not half a film, when the decoder is killed`,
    { skip: skip || needsProc },
    async () => {
      const before = new Set(descendantsOf(process.pid));
      const killIt = ({ index }: { index: number }) => {
        if (index !== 5) return;
        // The innermost one: a jail around it lives on.
        const decoding = descendantsOf(process.pid).filter((pid) => !before.has(pid));
        process.kill(Math.max(...decoding), "SIGKILL");
      };

      await assert.rejects(
        run(golden("long.mp4"), { smallFrames: killIt }),
        (error) => error instanceof AnalysisError && error.errorType === "analyzer_crashed",
      );
    },
  );

  test(`${name}: a slow consumer holds the decoder back, and a throw of it stops everything`, { skip }, async () => {
    for (const stream of ["smallFrames", "textFrames"] as const) {
      const seen: number[] = [];
      let inside = 0;
      const slow = async (frame: { index: number }) => {
        inside += 1;
        assert.equal(inside, 1);
        await new Promise((resolve) => setTimeout(resolve, 2));
        inside -= 1;
        seen.push(frame.index);
        if (frame.index === 20) throw new Error("had enough");
      };

      await assert.rejects(run(golden("scenes.mp4"), { [stream]: slow, loudness: true }), /had enough/);

      assert.deepEqual(seen, [...Array(21).keys()]);
    }
  });

  test(`${name}: an abort stops the decoder, whose consumer never ends`, { skip }, async () => {
    const abort = new AbortController();
    const stop = () => {
      abort.abort(new Error("stop"));
      return new Promise<void>(() => undefined);
    };

    await assert.rejects(run(golden("scenes.mp4"), { smallFrames: stop }, { signal: abort.signal }), /stop/);
  });
}

test("one or two channels that the file does not name are mono and stereo", async () => {
  const probe = await probeFile({ file: golden("loud-23.mp3"), mediaType: mediaTypeOf("loud-23.mp3") });
  const wants = { smallFrames: false, textFrames: false, black: false, freezes: false, silences: false };
  const shapeOf = (channels: number) => {
    const audio = probe.audio && { ...probe.audio, channels, channelLayout: null };
    const plan = planDecode({ ...probe, audio }, "audio/ogg", { ...wants, sound: true, loudness: true });
    return plan?.chains.map(({ filters }) => filters.split(",", 1)[0]);
  };

  assert.deepEqual(shapeOf(1), ["aformat=channel_layouts=mono", "aformat=channel_layouts=mono"]);
  assert.deepEqual(shapeOf(2), ["aformat=channel_layouts=stereo", "aformat=channel_layouts=stereo"]);
});

test(
  "both decoders hand on the same pictures",
  { skip: decoders[0]?.decoder === null ? "no ffmpeg ≥ 5.1 is installed here" : false },
  async () => {
    const means: number[][] = [];
    for (const { decoder } of decoders) {
      const of: number[] = [];
      const file = golden("scenes.mp4");
      const probe = await probeFile({ file, mediaType: mediaTypeOf(file), decoder: decoder ?? undefined });
      const smallFrames = ({ pixels }: Frame) =>
        void of.push(pixels.reduce((sum, value) => sum + value, 0) / pixels.length);
      await decode({
        file,
        contentType: "video/mp4",
        probe,
        consumers: { smallFrames },
        maxDurationSeconds: 60,
        decoder: decoder ?? undefined,
      });
      means.push(of);
    }

    const [first = [], second = []] = means;
    assert.equal(first.length, second.length);
    for (const [index, mean] of first.entries()) near(second[index], mean, 2);
  },
);

type Run = (file: string, consumers: DecodeConsumers) => Promise<unknown>;

async function collect(run: Run, file: string): Promise<{ format: FrameFormat; frames: Frame[] }> {
  const frames: Frame[] = [];
  let format: FrameFormat | undefined;
  await run(file, {
    smallFrames(frame, itsFormat) {
      format = itsFormat;
      frames.push({ ...frame, pixels: frame.pixels.slice() });
    },
  });
  assert.ok(format !== undefined);
  return { format, frames };
}

async function listen(run: Run, file: string): Promise<Int16Array> {
  const pieces: Sound[] = [];
  await run(file, { sound: (sound) => void pieces.push(sound) });
  return Int16Array.from(pieces.flatMap(({ samples }) => [...samples]));
}

function colourAt(pixels: Uint8Array, format: FrameFormat, x: number, y: number) {
  const offset = (Math.floor(y * format.height) * format.width + Math.floor(x * format.width)) * 3;
  return { red: pixels[offset] ?? 0, green: pixels[offset + 1] ?? 0, blue: pixels[offset + 2] ?? 0 };
}

function pitchOf(samples: Int16Array): number {
  let crossings = 0;
  for (let index = 1; index < samples.length; index += 1) {
    if ((samples[index - 1] ?? 0) < 0 && (samples[index] ?? 0) >= 0) crossings += 1;
  }
  return crossings / (samples.length / 16_000);
}

function levelOf(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += (sample / 32_768) ** 2;
  return Math.sqrt(sum / samples.length);
}

function near(actual: number | null | undefined, expected: number, tolerance: number): void {
  assert.ok(
    typeof actual === "number" && Math.abs(actual - expected) <= tolerance,
    `${actual} is not ${expected} ± ${tolerance}`,
  );
}

function timesAre(actual: number[], expected: number[]): void {
  assert.equal(actual.length, expected.length);
  for (const [index, seconds] of expected.entries()) near(actual[index], seconds, 0.002);
}

function spansAre(actual: { startSeconds: number; endSeconds: number }[] | null, expected: [number, number][]): void {
  assert.equal(actual?.length, expected.length, JSON.stringify(actual));
  for (const [index, [start, end]] of expected.entries()) {
    near(actual?.[index]?.startSeconds, start, frameSeconds);
    near(actual?.[index]?.endSeconds, end, frameSeconds);
  }
}
