import { writeSync } from "node:fs";
import { AV_BUFFERSRC_FLAG_KEEP_REF } from "node-av/constants";
import { avGetSampleFmtName, Filter, type FilterContext, FilterGraph, FilterInOut, Frame } from "node-av/lib";
import type { DecodeChain } from "./decode-graph.ts";
import { secondsOf } from "./node-av-input.ts";

type TimeBase = { num: number; den: number };

/**
 * One chain of a plan in node-av: frames in, bytes and log lines out, in the form that ffmpeg writes them. Only for
 * programs that run in the jail.
 */
export function createNodeAvChain(
  chain: DecodeChain,
  timeBase: TimeBase,
): {
  push: (frame: Frame) => void;
  finish: () => void;
} {
  const output = createOutput(chain);
  return createFrameChain(chain, timeBase, (frame, sinkTimeBase) => output(frame, secondsOf(frame.pts, sinkTimeBase)));
}

/** The same for who takes the filtered frames themselves; a frame is theirs until the call returns. */
export function createFrameChain(
  chain: Pick<DecodeChain, "from" | "filters">,
  timeBase: TimeBase,
  take: (frame: Frame, timeBase: TimeBase) => void,
): { push: (frame: Frame) => void; finish: () => void } {
  let graph: { source: FilterContext; sink: FilterContext; shape: string; whole: FilterGraph } | undefined;
  const drained = new Frame();
  drained.alloc();

  const drain = () => {
    if (graph === undefined) return;
    const sinkTimeBase = graph.sink.buffersinkGetTimeBase();
    while (graph.sink.buffersinkGetFrameSync(drained) >= 0) {
      take(drained, sinkTimeBase);
      drained.unref();
    }
  };
  const finish = () => {
    graph?.source.buffersrcAddFrameSync(null);
    drain();
    graph?.whole.free();
    graph = undefined;
  };
  return {
    push(frame) {
      // A stream may change its size or format on the way; a graph cannot.
      const shape = shapeOf(frame);
      if (graph !== undefined && graph.shape !== shape) finish();
      graph ??= { ...buildGraph(chain, frame, timeBase), shape };
      check(graph.source.buffersrcAddFrameSync(frame, AV_BUFFERSRC_FLAG_KEEP_REF), "feed the filters");
      drain();
    },
    finish,
  };
}

/** The frames of one shape, from the source to the sink. */
export function buildGraph(
  chain: Pick<DecodeChain, "from" | "filters">,
  frame: Frame,
  timeBase: TimeBase,
): { source: FilterContext; sink: FilterContext; whole: FilterGraph } {
  const whole = new FilterGraph();
  whole.alloc();
  whole.nbThreads = 2;
  const isVideo = chain.from === "video";
  const sourceFilter = Filter.getByName(isVideo ? "buffer" : "abuffer");
  const sinkFilter = Filter.getByName(isVideo ? "buffersink" : "abuffersink");
  if (sourceFilter === null || sinkFilter === null) throw new Error("node-av lacks its own buffers.");
  const source = isVideo
    ? whole.allocFilter(sourceFilter, "in")
    : whole.createFilter(sourceFilter, "in", soundArguments(frame, timeBase));
  const sink = whole.createFilter(sinkFilter, "out");
  if (source === null || sink === null) throw new Error("node-av made no buffers.");
  if (isVideo) {
    const parameters = {
      width: frame.width,
      height: frame.height,
      format: frame.format,
      timeBase,
      colorRange: frame.colorRange,
      colorSpace: frame.colorSpace,
    };
    check(source.buffersrcParametersSet(parameters), "describe the picture");
    check(source.init(null), "open the source");
  }
  const outputs = FilterInOut.createList([{ name: "in", filterCtx: source, padIdx: 0 }]);
  const inputs = FilterInOut.createList([{ name: "out", filterCtx: sink, padIdx: 0 }]);
  check(whole.parsePtr(chain.filters, inputs, outputs), "read the filters");
  check(whole.configSync(), "connect the filters");
  return { source, sink, whole };
}

function soundArguments(frame: Frame, timeBase: TimeBase): string {
  const format = avGetSampleFmtName(frame.format as Parameters<typeof avGetSampleFmtName>[0]);
  const time = `${timeBase.num}/${timeBase.den}`;
  const { mask } = frame.channelLayout;
  const channels = mask === 0n ? `channels=${frame.channels}` : `channel_layout=${mask}`;
  return `time_base=${time}:sample_rate=${frame.sampleRate}:sample_fmt=${format}:${channels}`;
}

function shapeOf(frame: Frame): string {
  const { width, height, format, colorRange, colorSpace, sampleRate, channels } = frame;
  return [width, height, format, colorRange, colorSpace, sampleRate, channels].join();
}

function createOutput(chain: DecodeChain): (frame: Frame, seconds: number | null) => void {
  let count = 0;
  return (frame, seconds) => {
    if (chain.log !== null) {
      const values = Object.entries(frame.getMetadata().getAll()).map(([key, value]) => `${key}=${value}\n`);
      if (chain.isMarked || values.length > 0) {
        write(
          chain.log,
          Buffer.from(`frame:${count} pts:${frame.pts} pts_time:${seconds ?? "NOPTS"}\n${values.join("")}`),
        );
      }
    }
    if (chain.bytes !== null) write(chain.bytes, frame.toBuffer());
    count += 1;
  };
}

/** Blocks while the reader is behind: that is what keeps memory flat. */
function write(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}

function check(result: number, what: string): void {
  if (result < 0) throw new Error(`node-av could not ${what} (${result}).`);
}
