import { avChannelLayoutDefault, Codec, CodecContext, type FormatContext, Frame, type Packet } from "node-av/lib";
import { microseconds, noValue } from "./node-av-input.ts";

export type TimeBase = { num: number; den: number };

/** What is done with the frames of a stream. */
export type Consumer = { push: (frame: Frame) => void; finish: () => void };

export type StreamDecoder = {
  decode: (packet: Packet) => void;
  finish: () => void;
  /** Nothing of what still comes is wanted. */
  isOver: () => boolean;
};

/** The decoder of one stream, opened. */
export function openDecoder(input: FormatContext, streamIndex: number, { threads }: { threads: number }) {
  const stream = input.streams.find((candidate) => candidate.index === streamIndex);
  if (stream === undefined) throw new Error("The file has other streams than when it was probed.");
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  if (codec === null) throw new Error("Decoder not found");
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  decoder.parametersToContext(stream.codecpar);
  const { timeBase } = stream;
  decoder.pktTimebase = timeBase;
  decoder.threadCount = threads;
  if (decoder.open2Sync(codec) < 0) throw new Error("Decoder not found");
  const startSeconds =
    input.startTime === noValue ? 0 : (Number(input.startTime) * microseconds.num) / microseconds.den;
  return { stream, decoder, timeBase, ticksPerSecond: timeBase.den / timeBase.num, startSeconds };
}

/** Decodes one stream. Each frame has a time, counted from the start of the presentation, as ffmpeg has it. */
export function decodeStream(
  input: FormatContext,
  options: {
    streamIndex: number;
    from: "video" | "audio";
    threads: number;
    /** Frames from this time on are not wanted. */
    untilSeconds?: number;
    consumersOf: (timeBase: TimeBase) => readonly Consumer[];
  },
): StreamDecoder {
  const { from, untilSeconds = Infinity } = options;
  const opened = openDecoder(input, options.streamIndex, { threads: from === "video" ? options.threads : 1 });
  const { stream, decoder, timeBase, ticksPerSecond } = opened;
  const startTicks = BigInt(Math.round(opened.startSeconds * ticksPerSecond));
  const rate = stream.avgFrameRate.num > 0 ? stream.avgFrameRate : stream.rFrameRate;
  const usualTicks = rate.num > 0 ? (ticksPerSecond * rate.den) / rate.num : ticksPerSecond / 25;
  const consumers = options.consumersOf(timeBase);
  const frame = new Frame();
  frame.alloc();
  let expected = 0n;
  let isOver = false;

  const receive = () => {
    while (decoder.receiveFrameSync(frame) >= 0) {
      const known = frame.bestEffortTimestamp;
      frame.pts = known === noValue ? expected : known - startTicks;
      frame.timeBase = timeBase;
      const length = from === "audio" ? (frame.nbSamples / frame.sampleRate) * ticksPerSecond : usualTicks;
      expected = frame.pts + BigInt(Math.max(1, Math.round(length)));
      if (from === "audio" && frame.channelLayout.mask === 0n)
        frame.channelLayout = avChannelLayoutDefault(frame.channels);
      // Filters that have seen the end take no more.
      if (Number(frame.pts) / ticksPerSecond < untilSeconds) for (const consumer of consumers) consumer.push(frame);
      else isOver = true;
      frame.unref();
    }
  };
  return {
    decode(packet) {
      // A damaged packet is reported on stderr and skipped, as ffmpeg does.
      decoder.sendPacketSync(packet);
      receive();
    },
    isOver: () => isOver,
    finish() {
      decoder.sendPacketSync(null);
      receive();
      for (const consumer of consumers) consumer.finish();
    },
  };
}
