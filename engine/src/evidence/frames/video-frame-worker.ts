import {
  AV_CODEC_FLAG_QSCALE,
  AV_CODEC_ID_MJPEG,
  AV_PIX_FMT_YUVJ420P,
  AVDISCARD_ALL,
  AVSEEK_FLAG_BACKWARD,
} from "node-av/constants";
import { Codec, CodecContext, type FormatContext, Frame, Packet, Rational } from "node-av/lib";
import { serveWorker } from "../../jail/serve-worker.ts";
import { buildGraph } from "../decode/node-av-chain.ts";
import { microseconds, noValue, openInput } from "../decode/node-av-input.ts";
import type { FrameAnswer, FrameRequest } from "./video-frame.ts";

/** libav's unit of quality, and the step that ffmpeg is asked for too. */
const quality = 118 * 4;

await serveWorker<FrameRequest, FrameAnswer>(async (request, { file }) => {
  const open = () => openInput(file, request.contentType);
  // Some demuxers (animated WebP) seek to where nothing follows: then from the start.
  const found = findFrame(await open(), request, true) ?? findFrame(await open(), request, false);
  return { jpegBase64: found && encode(filtered(found, request.filters)).toString("base64") };
});

type Found = { frame: Frame; timeBase: { num: number; den: number } };

/** Decodes from the key frame before, because only there a decoder can begin. */
function findFrame(input: FormatContext, { streamIndex, seconds }: FrameRequest, maySeek: boolean): Found | null {
  const stream = input.streams.find((candidate) => candidate.index === streamIndex);
  const codec = stream && Codec.findDecoder(stream.codecpar.codecId);
  if (!stream || !codec) throw new Error("Decoder not found");
  for (const other of input.streams) if (other.index !== streamIndex) other.discard = AVDISCARD_ALL;
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  decoder.parametersToContext(stream.codecpar);
  const { timeBase } = stream;
  decoder.pktTimebase = timeBase;
  decoder.threadCount = 2;
  if (decoder.open2Sync(codec) < 0) throw new Error("Decoder not found");

  const ticksPerSecond = timeBase.den / timeBase.num;
  const startSeconds =
    input.startTime === noValue ? 0 : (Number(input.startTime) * microseconds.num) / microseconds.den;
  const wanted = BigInt(Math.round((seconds + startSeconds) * ticksPerSecond));
  // A container that cannot seek stays at its start, which is right too, only slower.
  if (maySeek) input.seekFrameSync(streamIndex, wanted, AVSEEK_FLAG_BACKWARD);
  const frame = new Frame();
  frame.alloc();
  const receive = (): boolean => {
    while (decoder.receiveFrameSync(frame) >= 0) {
      const time = frame.bestEffortTimestamp;
      if (time === noValue || time >= wanted) return true;
      frame.unref();
    }
    return false;
  };
  const packet = new Packet();
  packet.alloc();
  while (input.readFrameSync(packet) >= 0) {
    if (packet.streamIndex === streamIndex) decoder.sendPacketSync(packet);
    packet.unref();
    if (receive()) return { frame, timeBase };
  }
  decoder.sendPacketSync(null);
  return receive() ? { frame, timeBase } : null;
}

function filtered({ frame, timeBase }: Found, filters: string): Frame {
  const { source, sink } = buildGraph({ from: "video", filters }, frame, timeBase);
  const picture = new Frame();
  picture.alloc();
  const isThrough =
    source.buffersrcAddFrameSync(frame) >= 0 &&
    source.buffersrcAddFrameSync(null) >= 0 &&
    sink.buffersinkGetFrameSync(picture) >= 0;
  if (!isThrough) throw new Error("node-av could not filter the frame.");
  return picture;
}

function encode(picture: Frame): Buffer {
  const codec = Codec.findEncoder(AV_CODEC_ID_MJPEG);
  if (codec === null) throw new Error("node-av has no JPEG encoder.");
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  encoder.width = picture.width;
  encoder.height = picture.height;
  encoder.pixelFormat = AV_PIX_FMT_YUVJ420P;
  encoder.timeBase = new Rational(1, 25);
  encoder.setFlags(AV_CODEC_FLAG_QSCALE);
  encoder.globalQuality = quality;
  picture.quality = quality;
  picture.pts = 0n;
  const packet = new Packet();
  packet.alloc();
  const isEncoded =
    encoder.open2Sync(codec) >= 0 &&
    encoder.sendFrameSync(picture) >= 0 &&
    encoder.sendFrameSync(null) >= 0 &&
    encoder.receivePacketSync(packet) >= 0;
  if (!isEncoded || packet.data === null) throw new Error("node-av could not encode the frame.");
  return packet.data;
}
