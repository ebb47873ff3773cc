import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_TIMED_THUMBNAILS,
  AV_PKT_DATA_DISPLAYMATRIX,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
  AVSEEK_FLAG_BACKWARD,
} from "node-av/constants";
import {
  avChannelLayoutDescribe,
  avGetCodecName,
  avGetPixFmtName,
  type FormatContext,
  Packet,
  type Stream,
} from "node-av/lib";
import { serveWorker } from "../../jail/serve-worker.ts";
import { matrixNames, primariesNames, transferNames } from "./colour-names.ts";
import { microseconds, openInput, secondsOf } from "../decode/node-av-input.ts";
import {
  addPacket,
  headPackets,
  languageOf,
  mergeEnds,
  type PacketSummary,
  type RawProbe,
  type RawStream,
  reachesEnd,
  tailSeconds,
} from "./raw-probe.ts";

await serveWorker<{ contentType: string }, RawProbe>(async ({ contentType }, { file }) => {
  const input = await openInput(file, contentType);
  const duration = secondsOf(input.duration, microseconds);
  const raw: RawProbe = {
    formatName: input.iformat?.name ?? "",
    durationSeconds: duration !== null && duration > 0 ? duration : null,
    startSeconds: secondsOf(input.startTime, microseconds),
    streams: input.streams.map(readStream),
    packets: {},
    sawAllPackets: false,
  };
  raw.sawAllPackets = readPackets(input, raw.packets, headPackets);
  if (raw.sawAllPackets) return raw;
  if (raw.durationSeconds !== null) {
    const from = (raw.startSeconds ?? 0) + raw.durationSeconds - tailSeconds;
    input.seekFrameSync(-1, BigInt(Math.round(Math.max(0, from) * 1e6)), AVSEEK_FLAG_BACKWARD);
    const tail: Record<number, PacketSummary> = {};
    readPackets(input, tail, Infinity);
    const packets = mergeEnds(raw.packets, tail);
    if (reachesEnd({ ...raw, packets })) return { ...raw, packets };
  }
  input.seekFrameSync(-1, BigInt(Math.round((raw.startSeconds ?? 0) * 1e6)), AVSEEK_FLAG_BACKWARD);
  const packets: Record<number, PacketSummary> = {};
  readPackets(input, packets, Infinity);
  return { ...raw, packets, sawAllPackets: true };
});

/** True when the end of the file came first. */
function readPackets(input: FormatContext, packets: Record<number, PacketSummary>, limit: number): boolean {
  const packet = new Packet();
  packet.alloc();
  const timeBases = input.streams.map((stream) => stream.timeBase);
  for (let count = 0; count < limit; count += 1) {
    if (input.readFrameSync(packet) < 0) return true;
    const timeBase = timeBases[packet.streamIndex];
    if (timeBase !== undefined) {
      addPacket(packets, {
        streamIndex: packet.streamIndex,
        seconds: secondsOf(packet.pts, timeBase) ?? secondsOf(packet.dts, timeBase),
        durationSeconds: secondsOf(packet.duration, timeBase),
      });
    }
    packet.unref();
  }
  return false;
}

function readStream(stream: Stream): RawStream {
  const parameters = stream.codecpar;
  const name = avGetCodecName(parameters.codecId);
  const duration = secondsOf(stream.duration, stream.timeBase);
  const isVideo = parameters.codecType === AVMEDIA_TYPE_VIDEO;
  const isAudio = parameters.codecType === AVMEDIA_TYPE_AUDIO;
  return {
    index: stream.index,
    type: isVideo ? "video" : isAudio ? "audio" : parameters.codecType === AVMEDIA_TYPE_SUBTITLE ? "subtitle" : "other",
    codec: name === null || name === "none" || name === "unknown_codec" ? null : name,
    codecTag: parameters.codecTagString,
    isAttachedPicture:
      stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC) || stream.hasDisposition(AV_DISPOSITION_TIMED_THUMBNAILS),
    isDefault: stream.hasDisposition(AV_DISPOSITION_DEFAULT),
    language: languageOf(stream.metadata?.get("language")),
    startSeconds: secondsOf(stream.startTime, stream.timeBase),
    durationSeconds: duration !== null && duration > 0 ? duration : null,
    width: parameters.width,
    height: parameters.height,
    pixelAspect: ratio(stream.sampleAspectRatio) ?? ratio(parameters.sampleAspectRatio),
    pixelFormat: isVideo ? avGetPixFmtName(parameters.format as Parameters<typeof avGetPixFmtName>[0]) : null,
    bitDepth: parameters.bitsPerRawSample > 0 ? parameters.bitsPerRawSample : null,
    averageFramesPerSecond: ratio(stream.avgFrameRate),
    nominalFramesPerSecond: ratio(stream.rFrameRate),
    rotationDegrees: readRotation(parameters.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)),
    fieldOrder: null,
    colourTransfer: transferNames[parameters.colorTrc] ?? null,
    colourPrimaries: primariesNames[parameters.colorPrimaries] ?? null,
    colourMatrix: matrixNames[parameters.colorSpace] ?? null,
    colourRange: ["unknown", "tv", "pc"][parameters.colorRange] ?? null,
    sampleRate: isAudio ? parameters.sampleRate : 0,
    channels: isAudio ? parameters.channels : 0,
    channelLayout: isAudio ? avChannelLayoutDescribe(parameters.channelLayout) : null,
  };
}

function ratio(value: { num: number; den: number }): number | null {
  return value.num > 0 && value.den > 0 ? value.num / value.den : null;
}

/** The clockwise angle of a 3 × 3 display matrix of 16.16 numbers. */
function readRotation(matrix: Buffer | null): number {
  if (matrix === null || matrix.length < 36) return 0;
  const cell = (index: number) => matrix.readInt32LE(index * 4) / 65536;
  const scaleX = Math.hypot(cell(0), cell(3));
  const scaleY = Math.hypot(cell(1), cell(4));
  if (scaleX === 0 || scaleY === 0) return 0;
  return (Math.atan2(cell(1) / scaleY, cell(0) / scaleX) * 180) / Math.PI;
}
