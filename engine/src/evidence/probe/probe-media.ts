import { AnalysisError } from "../../analysis-error.ts";
import { maxArrangedChannels } from "../decode/decode-graph.ts";
import { containerName, type MediaType } from "./media-type.ts";
import type { AudioProbe, ColourProbe, Probe, VideoProbe } from "./probe-shape.ts";
import { unreadStreams, withOmissions } from "./unread-streams.ts";
import { lastPacketEnd, type PacketSummary, type RawProbe, type RawStream, reachesEnd } from "./raw-probe.ts";

/** Makes sense of what a demuxer said: which streams count, how long and how large the presentation is. Pure. */
export function describeMedia(raw: RawProbe, options: { mediaType: MediaType; sizeBytes: number }): Probe {
  refuseProtected(raw.streams);
  const readable = raw.streams.filter((stream) => stream.codec !== null);
  const videos = readable.filter((stream) => stream.type === "video" && !stream.isAttachedPicture && stream.width > 0);
  const audios = readable.filter((stream) => stream.type === "audio" && stream.sampleRate > 0 && stream.channels > 0);
  const video = videos.find((stream) => stream.isDefault) ?? videos[0];
  const audio = audios.find((stream) => stream.isDefault) ?? audios[0];
  if (video === undefined && audio === undefined) throw explainNothingReadable(raw.streams);

  const isAnimation = options.mediaType.category === "image";
  const isComplete = reachesEnd(raw);
  const playableSeconds = lastSecond(raw);
  return {
    kind: isAnimation ? "image" : video === undefined ? "audio" : "video",
    container: containerName(raw.formatName, options.mediaType.contentType),
    sizeBytes: options.sizeBytes,
    durationSeconds: isComplete ? (raw.durationSeconds ?? playableSeconds) : playableSeconds,
    containerDurationSeconds: raw.durationSeconds,
    video: video === undefined ? null : describeVideo(video, raw),
    audio: audio === undefined ? null : describeAudio(audio),
    audioStreamCount: audios.length,
    videoStreamCount: videos.length,
    subtitleStreams: raw.streams.flatMap((stream) =>
      stream.type === "subtitle" ? [{ codec: stream.codec ?? "unknown", language: stream.language }] : [],
    ),
    image: null,
    pages: null,
    truncatedAtSeconds: isComplete ? null : (playableSeconds ?? 0),
    notes: describeChoices({ raw, audio, audioCount: audios.length, video, videoCount: videos.length }),
    ...withOmissions(unreadStreams(raw.streams, { audios, videos, audio, video })),
  };
}

function refuseProtected(streams: RawStream[]): void {
  if (!streams.some((stream) => ["encv", "enca", "drms", "drmi"].includes(stream.codecTag ?? ""))) return;
  throw new AnalysisError(
    "unsupported_media",
    "The file is protected (DRM) and cannot be read. Send an unprotected copy.",
  );
}

function explainNothingReadable(streams: RawStream[]): AnalysisError {
  const unknown = streams.some(
    (stream) => (stream.type === "video" || stream.type === "audio") && stream.codec === null,
  );
  if (unknown) {
    return new AnalysisError(
      "unsupported_media",
      "The file uses a codec that is not supported. Export it with a common codec such as H.264 and AAC.",
    );
  }
  return new AnalysisError("corrupt_media", "The file has no readable video or audio. Export it again.");
}

function describeVideo(stream: RawStream, raw: RawProbe): VideoProbe {
  const rotationDegrees = quarterTurn(stream.rotationDegrees);
  const pixelAspect = stream.pixelAspect ?? 1;
  const seen = displaySize({ ...stream, pixelAspect, rotationDegrees });
  const packets = raw.packets[stream.index];
  return {
    streamIndex: stream.index,
    codec: stream.codec ?? "unknown",
    pixelFormat: stream.pixelFormat,
    bitDepth: stream.bitDepth ?? bitDepthOf(stream.pixelFormat),
    width: stream.width,
    height: stream.height,
    displayWidth: seen.width,
    displayHeight: seen.height,
    pixelAspect,
    rotationDegrees,
    framesPerSecond: stream.averageFramesPerSecond ?? measuredRate(packets) ?? stream.nominalFramesPerSecond,
    isConstantFrameRate: isConstant(packets, stream.averageFramesPerSecond),
    fieldOrder:
      stream.fieldOrder === null ? "unknown" : stream.fieldOrder === "progressive" ? "progressive" : "interlaced",
    durationSeconds: stream.durationSeconds,
    colour: describeColour(stream),
  };
}

function describeAudio(stream: RawStream): AudioProbe {
  return {
    streamIndex: stream.index,
    codec: stream.codec ?? "unknown",
    sampleRate: stream.sampleRate,
    channels: stream.channels,
    // "3 channels" only repeats their number.
    channelLayout: stream.channelLayout?.endsWith("channels") === true ? null : stream.channelLayout,
    language: stream.language,
    durationSeconds: stream.durationSeconds,
  };
}

function describeColour(stream: RawStream): ColourProbe {
  const transfer =
    stream.colourTransfer === "smpte2084" ? "pq" : stream.colourTransfer === "arib-std-b67" ? "hlg" : "sdr";
  return {
    transferName: stream.colourTransfer,
    primaries: stream.colourPrimaries,
    matrix: stream.colourMatrix,
    range: stream.colourRange === "tv" ? "limited" : stream.colourRange === "pc" ? "full" : null,
    transfer,
  };
}

/** The wider pixels widen the picture, so that no line of it is lost. */
function displaySize(video: { width: number; height: number; pixelAspect: number; rotationDegrees: number }): {
  width: number;
  height: number;
} {
  const { pixelAspect } = video;
  const width = pixelAspect >= 1 ? Math.round(video.width * pixelAspect) : video.width;
  const height = pixelAspect >= 1 ? video.height : Math.round(video.height / pixelAspect);
  return video.rotationDegrees % 180 === 0 ? { width, height } : { width: height, height: width };
}

function quarterTurn(degrees: number): VideoProbe["rotationDegrees"] {
  const turns = (((Math.round(degrees / 90) % 4) + 4) % 4) * 90;
  return turns === 90 || turns === 180 || turns === 270 ? turns : 0;
}

/** "yuv420p10le" has ten bits; names without a number before "le" or "be" have eight. */
function bitDepthOf(pixelFormat: string | null): number | null {
  if (pixelFormat === null) return null;
  return Number(/p0?(9|10|12|14|16)(le|be)?$/.exec(pixelFormat)?.[1] ?? 8);
}

function lastSecond(raw: RawProbe): number | null {
  const end = lastPacketEnd(raw.packets);
  return end === null ? null : Math.max(0, end - (raw.startSeconds ?? 0));
}

function measuredRate(packets: PacketSummary | undefined): number | null {
  const median = medianOf(steps(packets));
  return median === null ? null : 1 / median;
}

/** Matroska rounds times to a millisecond, so steps may differ by that much in a constant rate. */
const roundingSeconds = 0.0011;

function isConstant(packets: PacketSummary | undefined, average: number | null): boolean | null {
  const all = steps(packets);
  const median = medianOf(all);
  if (median === null || all.length < 8) return null;
  if (all.some((step) => Math.abs(step - median) > roundingSeconds + median * 0.01)) return false;
  // The first packets are even, but the whole file has more or fewer frames than they promise.
  return average === null || Math.abs(average * median - 1) < 0.03;
}

/** The times between frames in the order they are shown. */
function steps(packets: PacketSummary | undefined): number[] {
  const times = (packets?.firstSeconds ?? []).toSorted((a, b) => a - b);
  // The last frames that were read may still miss one that is shown between them but stored later.
  const settled = times.length > 64 ? times.slice(0, -32) : times;
  return settled.slice(1).map((time, index) => time - (settled[index] ?? time));
}

function medianOf(values: number[]): number | null {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  return middle === undefined || middle <= 0 ? null : middle;
}

function describeChoices(choice: {
  raw: RawProbe;
  audio: RawStream | undefined;
  audioCount: number;
  video: RawStream | undefined;
  videoCount: number;
}): string[] {
  const notes: string[] = [];
  const { audio, video } = choice;
  if (audio !== undefined && choice.audioCount > 1) {
    const language = audio.language === null ? "" : ` (${audio.language})`;
    const why = audio.isDefault ? "the default one" : "the first one";
    notes.push(`Of ${choice.audioCount} sound streams ${why}, stream ${audio.index}${language}, is analysed.`);
  }
  const sound = audio === undefined ? null : describeAudio(audio);
  if (sound !== null && sound.channelLayout === null && sound.channels > maxArrangedChannels) {
    notes.push(`Of ${sound.channels} sound channels, which the file does not name, the first two are analysed.`);
  }
  if (video !== undefined && choice.videoCount > 1) {
    notes.push(`Of ${choice.videoCount} pictures stream ${video.index} is analysed.`);
  }
  if (video !== undefined && Math.abs(video.rotationDegrees / 90 - Math.round(video.rotationDegrees / 90)) > 0.02) {
    notes.push(`The picture is turned by ${Math.round(video.rotationDegrees)}°; only quarter turns are applied.`);
  }
  if (choice.raw.durationSeconds === null)
    notes.push("The file does not say how long it is; its packets were counted.");
  return notes;
}
