import { AVDISCARD_ALL } from "node-av/constants";
import { avChannelLayoutDefault, Codec, CodecContext, type FormatContext, Frame, Packet } from "node-av/lib";
import { AnalysisError } from "../../analysis-error.ts";
import type { DecodeChain, DecodePlan } from "./decode-graph.ts";
import { createNodeAvChain } from "./node-av-chain.ts";
import { microseconds, noValue, openInput } from "./node-av-input.ts";

/** Started by decode-node-av.ts: decodes the streams of the plan and writes to its pipes. */
const { file, plan } = JSON.parse(process.argv[2] ?? "{}") as { file: string; plan: DecodePlan };
try {
  run(await openInput(file, plan.contentType), plan);
} catch (error) {
  // Told on stderr in words that open-failure.ts knows; the message of an AnalysisError is made anew from them.
  const cause = error instanceof AnalysisError && error.cause instanceof Error ? error.cause : error;
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exitCode = 1;
}

function run(input: FormatContext, plan: DecodePlan): void {
  const streams = new Map<number, ReturnType<typeof openStream>>();
  if (plan.video !== null)
    streams.set(plan.video.streamIndex, openStream(input, plan, "video", plan.video.streamIndex));
  if (plan.audio !== null)
    streams.set(plan.audio.streamIndex, openStream(input, plan, "audio", plan.audio.streamIndex));
  for (const stream of input.streams) if (!streams.has(stream.index)) stream.discard = AVDISCARD_ALL;
  const packet = new Packet();
  packet.alloc();
  while (input.readFrameSync(packet) >= 0) {
    streams.get(packet.streamIndex)?.decode(packet);
    packet.unref();
  }
  for (const stream of streams.values()) stream.finish();
}

function openStream(input: FormatContext, plan: DecodePlan, from: DecodeChain["from"], streamIndex: number) {
  const stream = input.streams.find((candidate) => candidate.index === streamIndex);
  if (stream === undefined) throw new Error("The file has other streams than when it was probed.");
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  if (codec === null) throw new Error("Decoder not found");
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  decoder.parametersToContext(stream.codecpar);
  const { timeBase } = stream;
  decoder.pktTimebase = timeBase;
  decoder.threadCount = from === "video" ? 4 : 1;
  if (decoder.open2Sync(codec) < 0) throw new Error("Decoder not found");

  const ticksPerSecond = timeBase.den / timeBase.num;
  // Times count from the start of the presentation, as ffmpeg has them.
  const startSeconds =
    input.startTime === noValue ? 0 : (Number(input.startTime) * microseconds.num) / microseconds.den;
  const startTicks = BigInt(Math.round(startSeconds * ticksPerSecond));
  const rate = stream.avgFrameRate.num > 0 ? stream.avgFrameRate : stream.rFrameRate;
  const usualTicks = rate.num > 0 ? (ticksPerSecond * rate.den) / rate.num : ticksPerSecond / 25;
  const chains = plan.chains.filter((chain) => chain.from === from).map((chain) => createNodeAvChain(chain, timeBase));
  const frame = new Frame();
  frame.alloc();
  let expected = 0n;

  const receive = () => {
    while (decoder.receiveFrameSync(frame) >= 0) {
      const known = frame.bestEffortTimestamp;
      frame.pts = known === noValue ? expected : known - startTicks;
      frame.timeBase = timeBase;
      const length = from === "audio" ? (frame.nbSamples / frame.sampleRate) * ticksPerSecond : usualTicks;
      expected = frame.pts + BigInt(Math.max(1, Math.round(length)));
      if (from === "audio" && frame.channelLayout.mask === 0n)
        frame.channelLayout = avChannelLayoutDefault(frame.channels);
      for (const chain of chains) chain.push(frame);
      frame.unref();
    }
  };
  return {
    decode(packet: Packet) {
      // A damaged packet is complained about on stderr and left out, as ffmpeg does.
      decoder.sendPacketSync(packet);
      receive();
    },
    finish() {
      decoder.sendPacketSync(null);
      receive();
      for (const chain of chains) chain.finish();
    },
  };
}
