import { AVDISCARD_ALL, AVSEEK_FLAG_BACKWARD } from "node-av/constants";
import { type FormatContext, Packet } from "node-av/lib";
import { AnalysisError } from "../../analysis-error.ts";
import { type DecodePlan, seekSeconds } from "./decode-graph.ts";
import { createNodeAvChain } from "./node-av-chain.ts";
import { decodeStream, type StreamDecoder, type TimeBase } from "./node-av-decoder.ts";
import { microseconds, noValue, openInput } from "./node-av-input.ts";

/** Started by decode-node-av.ts: decodes the streams of the plan and writes to its pipes. */
const { file, plan } = JSON.parse(process.argv[2] ?? "{}") as { file: string; plan: DecodePlan };
try {
  run(await openInput(file, plan.contentType), plan);
} catch (error) {
  // Reported on stderr in words that open-failure.ts knows; the message of an AnalysisError is rebuilt from them.
  const cause = error instanceof AnalysisError && error.cause instanceof Error ? error.cause : error;
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exitCode = 1;
}

function run(input: FormatContext, plan: DecodePlan): void {
  const { range } = plan;
  const until = range?.untilSeconds ?? Infinity;
  const streams = new Map<number, StreamDecoder>();
  for (const from of ["video", "audio"] as const) {
    const streamIndex = plan[from]?.streamIndex;
    if (streamIndex === undefined) continue;
    const chains = plan.chains.filter((chain) => chain.from === from);
    const consumersOf = (timeBase: TimeBase) => chains.map((chain) => createNodeAvChain(chain, timeBase));
    streams.set(streamIndex, decodeStream(input, { streamIndex, from, threads: 4, untilSeconds: until, consumersOf }));
  }
  for (const stream of input.streams) if (!streams.has(stream.index)) stream.discard = AVDISCARD_ALL;
  if (range !== null && seekSeconds(range) > 0) seek(input, seekSeconds(range));
  const packet = new Packet();
  packet.alloc();
  while ([...streams.values()].some(({ isOver }) => !isOver()) && input.readFrameSync(packet) >= 0) {
    streams.get(packet.streamIndex)?.decode(packet);
    packet.unref();
  }
  for (const stream of streams.values()) stream.finish();
}

/** A container that cannot seek stays at its start, which is right too, only slower. */
function seek(input: FormatContext, seconds: number): void {
  const start = input.startTime === noValue ? 0n : input.startTime;
  input.seekFrameSync(-1, start + BigInt(Math.round(seconds * microseconds.den)), AVSEEK_FLAG_BACKWARD);
}
