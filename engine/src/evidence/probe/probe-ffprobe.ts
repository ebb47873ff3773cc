import { AnalysisError } from "../../analysis-error.ts";
import { spawnJailed } from "../../jail/jail.ts";
import { readLines } from "../../jail/lines.ts";
import { explainExit } from "../../jail/worker.ts";
import { explainOpenFailure } from "../decode/open-failure.ts";
import type { FfmpegPrograms } from "../decode/decoder.ts";
import { inputArguments } from "./media-input.ts";
import { demuxersFor } from "./media-type.ts";
import {
  addPacket,
  headPackets,
  mergeEnds,
  languageOf,
  type PacketSummary,
  type RawProbe,
  type RawStream,
  reachesEnd,
  tailSeconds,
} from "./raw-probe.ts";

type Options = { file: string; contentType: string; signal: AbortSignal | undefined };

/** Asks the system's ffprobe: header and first packets, then the last ones, and all of them only where these disagree. */
export async function probeWithFfprobe(programs: FfmpegPrograms, options: Options): Promise<RawProbe> {
  const head = await readHead(programs, options);
  if (head.sawAllPackets) return head;
  if (head.durationSeconds !== null) {
    const from = Math.max(0, (head.startSeconds ?? 0) + head.durationSeconds - tailSeconds);
    const packets = mergeEnds(head.packets, await readPackets(programs, options, `${from}%`));
    if (reachesEnd({ ...head, packets })) return { ...head, packets };
  }
  const packets = await readPackets(programs, options, null);
  return { ...head, packets, sawAllPackets: true };
}

async function readHead(programs: FfmpegPrograms, options: Options): Promise<RawProbe> {
  const entries =
    "packet=stream_index,pts_time,dts_time,duration_time:stream:stream_tags:stream_disposition:stream_side_data:format";
  const child = await ask(programs, options, [
    "-show_entries",
    entries,
    "-read_intervals",
    `%+#${headPackets}`,
    "-of",
    "json",
  ]);
  const text: string[] = [];
  for await (const line of readLines(child.pipe(1), 2 ** 20)) text.push(line);
  const exit = await child.ended;
  options.signal?.throwIfAborted();
  if (exit.reason !== "exited" || exit.signal !== null) throw explainExit(exit, "file");
  const answer = exit.code === 0 ? (JSON.parse(text.join("\n")) as FfprobeAnswer) : {};
  if (exit.code !== 0 || answer.format === undefined) throw explainOpenFailure(exit.stderr);
  const packets: Record<number, PacketSummary> = {};
  const seen = answer.packets ?? [];
  for (const packet of seen) {
    addPacket(packets, {
      streamIndex: packet.stream_index,
      seconds: numberOf(packet.pts_time) ?? numberOf(packet.dts_time),
      durationSeconds: numberOf(packet.duration_time),
    });
  }
  return {
    formatName: answer.format.format_name ?? "",
    durationSeconds: positive(answer.format.duration),
    startSeconds: numberOf(answer.format.start_time),
    streams: (answer.streams ?? []).map(readStream),
    packets,
    sawAllPackets: seen.length < headPackets,
  };
}

async function readPackets(
  programs: FfmpegPrograms,
  options: Options,
  interval: string | null,
): Promise<Record<number, PacketSummary>> {
  const where = interval === null ? [] : ["-read_intervals", interval];
  const child = await ask(programs, options, [
    "-show_entries",
    "packet=stream_index,pts_time,duration_time",
    ...where,
    "-of",
    "csv=p=0",
  ]);
  const packets: Record<number, PacketSummary> = {};
  for await (const line of readLines(child.pipe(1), 2 ** 16)) {
    const [streamIndex, seconds, durationSeconds] = line.split(",");
    addPacket(packets, {
      streamIndex: Number(streamIndex),
      seconds: numberOf(seconds),
      durationSeconds: numberOf(durationSeconds),
    });
  }
  const exit = await child.ended;
  options.signal?.throwIfAborted();
  // Its complaints about a damaged end are what the packets already show.
  if (exit.reason !== "exited" || exit.signal !== null) throw explainExit(exit, "file");
  return packets;
}

function ask(programs: FfmpegPrograms, options: Options, questions: string[]) {
  if (demuxersFor(options.contentType).length === 0)
    throw new AnalysisError("unsupported_media", `Files of type ${options.contentType} cannot be read as media.`);
  return spawnJailed({
    program: programs.ffprobe,
    visiblePaths: programs.visiblePaths,
    args: (inputPath) => [
      "-v",
      "error",
      ...inputArguments({ contentType: options.contentType, inputPath, first: questions }),
    ],
    inputFile: options.file,
    limits: { addressSpaceBytes: 3 * 2 ** 30, cpuSeconds: 120 },
    timeoutSeconds: 120,
    signal: options.signal,
  });
}

type FfprobeAnswer = {
  packets?: { stream_index: number; pts_time?: string; dts_time?: string; duration_time?: string }[];
  streams?: FfprobeStream[];
  format?: { format_name?: string; duration?: string; start_time?: string };
};

type FfprobeStream = {
  index: number;
  codec_type?: string;
  codec_name?: string;
  codec_tag_string?: string;
  start_time?: string;
  duration?: string;
  width?: number;
  height?: number;
  sample_aspect_ratio?: string;
  pix_fmt?: string;
  bits_per_raw_sample?: string;
  avg_frame_rate?: string;
  r_frame_rate?: string;
  field_order?: string;
  color_transfer?: string;
  color_primaries?: string;
  color_space?: string;
  color_range?: string;
  sample_rate?: string;
  channels?: number;
  channel_layout?: string;
  tags?: { language?: string };
  disposition?: { attached_pic?: number; timed_thumbnails?: number; default?: number };
  side_data_list?: { rotation?: number }[];
};

function readStream(stream: FfprobeStream): RawStream {
  const turn = stream.side_data_list?.find((data) => typeof data.rotation === "number")?.rotation ?? 0;
  return {
    index: stream.index,
    type: streamType(stream.codec_type),
    codec: named(stream.codec_name),
    codecTag: stream.codec_tag_string ?? null,
    isAttachedPicture: stream.disposition?.attached_pic === 1 || stream.disposition?.timed_thumbnails === 1,
    isDefault: stream.disposition?.default === 1,
    language: languageOf(stream.tags?.language),
    startSeconds: numberOf(stream.start_time),
    durationSeconds: positive(stream.duration),
    width: stream.width ?? 0,
    height: stream.height ?? 0,
    pixelAspect: ratio(stream.sample_aspect_ratio, ":"),
    pixelFormat: named(stream.pix_fmt),
    bitDepth: numberOf(stream.bits_per_raw_sample),
    averageFramesPerSecond: ratio(stream.avg_frame_rate, "/"),
    nominalFramesPerSecond: ratio(stream.r_frame_rate, "/"),
    // ffprobe counts against the clock.
    rotationDegrees: -turn,
    fieldOrder: named(stream.field_order),
    colourTransfer: named(stream.color_transfer),
    colourPrimaries: named(stream.color_primaries),
    colourMatrix: named(stream.color_space),
    colourRange: named(stream.color_range),
    sampleRate: numberOf(stream.sample_rate) ?? 0,
    channels: stream.channels ?? 0,
    channelLayout: named(stream.channel_layout),
  };
}

function streamType(type: string | undefined): RawStream["type"] {
  return type === "video" || type === "audio" || type === "subtitle" ? type : "other";
}

function named(name: string | undefined): string | null {
  return name === undefined || name === "unknown" || name === "reserved" ? null : name;
}

function numberOf(text: string | undefined): number | null {
  if (text === undefined || text === "") return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

function positive(text: string | undefined): number | null {
  const value = numberOf(text);
  return value !== null && value > 0 ? value : null;
}

function ratio(text: string | undefined, separator: string): number | null {
  const [left, right] = (text ?? "").split(separator).map(Number);
  if (left === undefined || right === undefined) return null;
  return left > 0 && right > 0 ? left / right : null;
}
