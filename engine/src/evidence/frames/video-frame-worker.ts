import { AVDISCARD_ALL, AVSEEK_FLAG_BACKWARD } from "node-av/constants";
import { type FormatContext, Frame, Packet } from "node-av/lib";
import { serveWorker } from "../../jail/serve-worker.ts";
import { buildGraph } from "../decode/node-av-chain.ts";
import { openDecoder, type TimeBase } from "../decode/node-av-decoder.ts";
import { noValue, openInput } from "../decode/node-av-input.ts";
import { encodeJpeg } from "../decode/node-av-jpeg.ts";
import type { FrameAnswer, FrameRequest } from "./video-frame.ts";

/** The one that ffmpeg is given too. */
const quality = 4;

await serveWorker<FrameRequest, FrameAnswer>(async (request, { file }) => {
  const open = () => openInput(file, request.contentType);
  // Some demuxers (animated WebP) seek to where nothing follows: then from the start.
  const found = findFrame(await open(), request, true) ?? findFrame(await open(), request, false);
  return { jpegBase64: found && encodeJpeg(filtered(found, request.filters), { quality }).toString("base64") };
});

type Found = { frame: Frame; timeBase: TimeBase };

/** Decodes from the key frame before, because only there a decoder can begin. */
function findFrame(input: FormatContext, { streamIndex, seconds }: FrameRequest, maySeek: boolean): Found | null {
  for (const other of input.streams) if (other.index !== streamIndex) other.discard = AVDISCARD_ALL;
  const { decoder, timeBase, ticksPerSecond, startSeconds } = openDecoder(input, streamIndex, { threads: 2 });
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
