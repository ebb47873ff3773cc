import { AV_CODEC_FLAG_GLOBAL_HEADER } from "node-av/constants";
import {
  Codec,
  CodecContext,
  Dictionary,
  type FormatContext,
  type Frame,
  Packet,
  Rational,
  type Stream,
} from "node-av/lib";

type TimeBase = { num: number; den: number };

/** One stream of an MP4 in the making. Only for programs that run in the jail. */
export type Encoder = {
  stream: Stream;
  /** Frames from before the header is written wait. */
  send: (frame: Frame | null) => void;
};

/** Opens the encoder of that name and a stream for it; `describe` sets what the frames are. */
export function openEncoder(
  output: FormatContext,
  options: {
    name: string;
    timeBase: TimeBase;
    describe: (context: CodecContext) => void;
    settings: Record<string, string>;
  },
): Encoder {
  const codec = Codec.findEncoderByName(options.name as Parameters<typeof Codec.findEncoderByName>[0]);
  if (codec === null) throw new Error(`node-av has no ${options.name}.`);
  const context = new CodecContext();
  context.allocContext3(codec);
  const timeBase = new Rational(options.timeBase.num, options.timeBase.den);
  context.timeBase = timeBase;
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  options.describe(context);
  if (context.open2Sync(codec, Dictionary.fromObject(options.settings)) < 0)
    throw new Error(`node-av could not open ${options.name}.`);
  const stream = output.newStream(codec);
  stream.timeBase = timeBase;
  context.parametersFromContext(stream.codecpar);
  const packet = new Packet();
  packet.alloc();
  return {
    stream,
    send(frame) {
      if (context.sendFrameSync(frame) < 0 && frame !== null) throw new Error(`${options.name} refused a frame.`);
      while (context.receivePacketSync(packet) >= 0) {
        packet.streamIndex = stream.index;
        packet.rescaleTs(timeBase, stream.timeBase);
        if (output.interleavedWriteFrameSync(packet) < 0) throw new Error("The rendition could not be written.");
        packet.unref();
      }
    },
  };
}
