import { writeSync } from "node:fs";
import {
  AV_CODEC_FLAG_FRAME_DURATION,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVDISCARD_ALL,
  AVDISCARD_NONKEY,
} from "node-av/constants";
import { Dictionary, FormatContext, type Frame, Packet } from "node-av/lib";
import { createFrameChain, createNodeAvChain } from "../evidence/decode/node-av-chain.ts";
import { type Consumer, decodeStream, type StreamDecoder, type TimeBase } from "../evidence/decode/node-av-decoder.ts";
import { openInput } from "../evidence/decode/node-av-input.ts";
import { encodeJpeg } from "../evidence/decode/node-av-jpeg.ts";
import { outputPathInside } from "../jail/jail-command.ts";
import { filmPipes, type FilmPlan, keyFrameSeconds } from "./film-plan.ts";
import { type Encoder, openEncoder } from "./node-av-encoder.ts";

/** Started by render-film.ts where there is no ffmpeg: the same plan, the same outputs. */
const { file, plan } = JSON.parse(process.argv[2] ?? "{}") as { file: string; plan: FilmPlan };
const videoTimeBase = { num: 1, den: 90_000 };
const soundTimeBase = { num: 1, den: 48_000 };
const stripSettings = { qmin: "2", qmax: "5", b: "20000000" };
const isMade = { video: plan.picture !== null, audio: plan.sound !== null };

const input = await openInput(file, plan.contentType);
const output = openOutput();
const encoders: { video?: Encoder; audio?: Encoder } = {};
/** Frames that came before every encoder was open: only then the header can be written. */
const early: (() => void)[] = [];
let isBegun = false;
let reportedSeconds = 0;

const sources = new Map<number, StreamDecoder>();
if (plan.video !== null) sources.set(plan.video.streamIndex, openSource("video", plan.video.streamIndex));
if (plan.audio !== null) sources.set(plan.audio.streamIndex, openSource("audio", plan.audio.streamIndex));
for (const stream of input.streams) {
  if (!sources.has(stream.index)) stream.discard = AVDISCARD_ALL;
  else if (stream.index === plan.video?.streamIndex && plan.video.isKeyFramesOnly) stream.discard = AVDISCARD_NONKEY;
}
const packet = new Packet();
packet.alloc();
while (input.readFrameSync(packet) >= 0) {
  sources.get(packet.streamIndex)?.decode(packet);
  packet.unref();
}
for (const source of sources.values()) source.finish();
if (output !== null) finishOutput(output);
process.exit(0);

function openOutput(): FormatContext | null {
  if (!isMade.video && !isMade.audio) return null;
  const context = new FormatContext();
  const isOpen =
    context.allocOutputContext2(null, "mp4", `file:${outputPathInside}`) >= 0 && context.openOutputSync() >= 0;
  if (!isOpen) throw new Error("The rendition could not be opened.");
  return context;
}

function finishOutput(context: FormatContext): void {
  // A stream without a single frame has no encoder; the others are kept.
  begin(context);
  encoders.video?.send(null);
  encoders.audio?.send(null);
  if (context.writeTrailerSync() < 0) throw new Error("The rendition could not be finished.");
  context.closeOutputSync();
}

function begin(context: FormatContext): void {
  if (isBegun) return;
  isBegun = true;
  if (context.writeHeaderSync(Dictionary.fromObject({ movflags: "+faststart" })) < 0)
    throw new Error("The rendition could not be begun.");
  for (const send of early.splice(0)) send();
}

function openSource(from: "video" | "audio", streamIndex: number): StreamDecoder {
  const consumersOf = (timeBase: TimeBase): Consumer[] => [
    ...(from === "video" ? videoConsumers(timeBase) : audioConsumers(timeBase)),
    { push: (frame) => report((Number(frame.pts) * timeBase.num) / timeBase.den), finish: () => undefined },
  ];
  return decodeStream(input, { streamIndex, from, threads: 2, consumersOf });
}

function videoConsumers(timeBase: TimeBase): Consumer[] {
  const consumers: Consumer[] = [];
  if (plan.picture !== null) {
    let nextKey = 0;
    let last = -1n;
    consumers.push(
      createFrameChain({ from: "video", filters: plan.picture }, timeBase, (frame, from) => {
        const seconds = (Number(frame.pts) * from.num) / from.den;
        const time = BigInt(Math.round(seconds * videoTimeBase.den));
        if (time <= last) return;
        last = time;
        const isKey = seconds >= nextKey;
        if (isKey) nextKey = (Math.floor(seconds / keyFrameSeconds + 1e-6) + 1) * keyFrameSeconds;
        const duration = BigInt(Math.round((Number(frame.duration) * from.num * videoTimeBase.den) / from.den));
        give("video", frame, time, (own) => {
          own.pictType = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
          own.duration = duration;
        });
      }),
    );
  }
  if (plan.strip !== null) {
    let isWritten = false;
    consumers.push(
      createFrameChain({ from: "video", filters: plan.strip }, timeBase, (frame) => {
        if (!isWritten) write(filmPipes.strip, encodeJpeg(frame, { settings: stripSettings }));
        isWritten = true;
      }),
    );
  }
  return consumers;
}

function audioConsumers(timeBase: TimeBase): Consumer[] {
  const { sound, peaks } = plan;
  return [
    ...(sound === null
      ? []
      : [
          createFrameChain({ from: "audio", filters: sound }, timeBase, (frame, from) => {
            give("audio", frame, BigInt(Math.round((Number(frame.pts) * from.num * soundTimeBase.den) / from.den)));
          }),
        ]),
    ...(peaks === null
      ? []
      : [
          createNodeAvChain(
            { from: "audio", filters: peaks, bytes: filmPipes.peaks, log: null, isMarked: false },
            timeBase,
          ),
        ]),
  ];
}

/** To its encoder, which is opened by the first frame. */
function give(kind: "video" | "audio", frame: Frame, time: bigint, prepare?: (own: Frame) => void): void {
  if (output === null) return;
  // An encoder that would come too late for the header has missed the film.
  if (isBegun && encoders[kind] === undefined) return;
  const encoder = (encoders[kind] ??= kind === "video" ? openVideo(output, frame) : openSound(output, frame));
  const own = frame.clone();
  if (own === null) throw new Error("node-av is out of memory.");
  own.pts = time;
  prepare?.(own);
  const send = () => {
    encoder.send(own);
    own.free();
  };
  if (isBegun) return send();
  early.push(send);
  const isComplete = (!isMade.video || encoders.video !== undefined) && (!isMade.audio || encoders.audio !== undefined);
  if (isComplete || early.length >= 120) begin(output);
}

function openVideo(output: FormatContext, frame: Frame): Encoder {
  return openEncoder(output, {
    name: "libx264",
    timeBase: videoTimeBase,
    settings: { preset: "superfast", crf: "23", sc_threshold: "0" },
    describe(context) {
      context.width = frame.width;
      context.height = frame.height;
      context.pixelFormat = AV_PIX_FMT_YUV420P;
      context.gopSize = 600;
      context.threadCount = 2;
      // Otherwise the last frame has no length, and the copy is one frame shorter.
      context.setFlags(AV_CODEC_FLAG_FRAME_DURATION);
    },
  });
}

function openSound(output: FormatContext, frame: Frame): Encoder {
  return openEncoder(output, {
    name: "aac",
    timeBase: soundTimeBase,
    settings: {},
    describe(context) {
      context.sampleFormat = AV_SAMPLE_FMT_FLTP;
      context.sampleRate = soundTimeBase.den;
      context.channelLayout = frame.channelLayout;
      context.bitRate = 128_000n;
    },
  });
}

function report(seconds: number): void {
  if (seconds < reportedSeconds + 1) return;
  reportedSeconds = seconds;
  write(filmPipes.progress, Buffer.from(`out_time_us=${Math.round(seconds * 1e6)}\n`));
}

function write(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}
