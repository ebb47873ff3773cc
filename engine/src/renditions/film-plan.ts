import { matrixOf, soundShape, turn } from "../evidence/decode/decode-graph.ts";
import { toneMapFilters } from "./tone-map.ts";
import type { AudioProbe, Probe, VideoProbe } from "../evidence/probe/probe-shape.ts";

/** What is made of a film or a sound in one decode. Each filter chain is null where its output is not wanted. */
export type FilmPlan = {
  contentType: string;
  video: { streamIndex: number; isKeyFramesOnly: boolean } | null;
  audio: { streamIndex: number } | null;
  /** For H.264 and AAC, in one MP4. */
  picture: string | null;
  sound: string | null;
  /** Ends in one picture. */
  strip: string | null;
  /** Ends in 16 bits, two channels. */
  peaks: string | null;
};

export type Strip = {
  columns: number;
  rows: number;
  count: number;
  tileWidth: number;
  tileHeight: number;
  intervalSeconds: number;
};

/** The rendition's file is on descriptor 3. */
export const filmPipes = { progress: 1, strip: 4, peaks: 5 } as const;
export const keyFrameSeconds = 0.5;
export const peaksRate = 16_000;

const maxTiles = 100;
const tileSide = 160;
/** From here on key frames are enough for small pictures: decoding the others would take minutes. */
const longSeconds = 120;

export function planFilm(
  { video: probed, audio, durationSeconds }: Probe,
  options: {
    contentType: string;
    makesMedia: boolean;
    makesStrip: boolean;
    makesPeaks: boolean;
    /** The decoder turns the picture upright by itself. */
    isUpright: boolean;
  },
): { plan: FilmPlan; size: { width: number; height: number } | null; strip: Strip | null } {
  const { contentType, makesMedia } = options;
  const video = probed && options.isUpright ? { ...probed, rotationDegrees: 0 as const } : probed;
  const size = video === null ? null : mediaSize(video);
  const strip = video === null || !options.makesStrip ? null : planStrip(video, durationSeconds);
  const isLong = (durationSeconds ?? 0) > longSeconds;
  const makesPicture = makesMedia && video !== null;
  return {
    plan: {
      contentType,
      video: makesPicture || strip !== null ? videoOf(video, { isKeyFramesOnly: isLong && !makesPicture }) : null,
      audio: audio !== null && (makesMedia || options.makesPeaks) ? { streamIndex: audio.streamIndex } : null,
      picture: makesPicture && size !== null ? pictureFilters(video, size) : null,
      sound: makesMedia && audio !== null ? soundFilters(audio) : null,
      strip: strip === null || video === null ? null : stripFilters(video, strip),
      peaks: options.makesPeaks && audio !== null ? peakFilters(audio) : null,
    },
    size,
    strip,
  };
}

function videoOf(video: VideoProbe | null, { isKeyFramesOnly }: { isKeyFramesOnly: boolean }): FilmPlan["video"] {
  return video && { streamIndex: video.streamIndex, isKeyFramesOnly };
}

function mediaSize({ displayWidth, displayHeight }: VideoProbe): { width: number; height: number } {
  const [long, short] = [Math.max(displayWidth, displayHeight), Math.min(displayWidth, displayHeight)];
  return scaled({ displayWidth, displayHeight }, Math.min(1, 1280 / long, 720 / short));
}

function planStrip({ displayWidth, displayHeight }: VideoProbe, durationSeconds: number | null): Strip {
  const seconds = durationSeconds ?? maxTiles;
  const intervalSeconds = Math.max(0.5, Math.ceil((seconds / maxTiles) * 2) / 2);
  const count = Math.min(maxTiles, Math.max(1, Math.ceil(seconds / intervalSeconds)));
  const columns = Math.min(10, count);
  const factor = Math.min(1, tileSide / Math.max(displayWidth, displayHeight));
  const { width: tileWidth, height: tileHeight } = scaled({ displayWidth, displayHeight }, factor);
  return { columns, rows: Math.ceil(count / columns), count, tileWidth, tileHeight, intervalSeconds };
}

function scaled(size: { displayWidth: number; displayHeight: number }, factor: number) {
  const side = (length: number) => Math.max(2, Math.round((length * factor) / 2) * 2);
  return { width: side(size.displayWidth), height: side(size.displayHeight) };
}

function pictureFilters(video: VideoProbe, size: { width: number; height: number }): string {
  return [
    ...(video.fieldOrder === "interlaced" ? ["yadif=mode=send_frame"] : []),
    ...shrink(video, { ...size, flags: "bicubic", out: "out_color_matrix=bt709:out_range=tv" }),
    "format=yuv420p",
    "setsar=1",
    ...turn(video.rotationDegrees),
  ].join(",");
}

/** `round=up`: each picture is what is seen at its time, not the frame after. */
function stripFilters(video: VideoProbe, { columns, rows, tileWidth, tileHeight, intervalSeconds }: Strip): string {
  const size = { width: tileWidth, height: tileHeight };
  return [
    `fps=fps=1/${intervalSeconds}:round=up:start_time=0`,
    ...shrink(video, { ...size, flags: "area", out: "out_color_matrix=bt601:out_range=pc" }),
    "format=yuvj420p",
    "setsar=1",
    ...turn(video.rotationDegrees),
    `tile=${columns}x${rows}`,
  ].join(",");
}

/** Smaller first: mapping the tones of the whole picture would take nine times as long. */
function shrink(video: VideoProbe, to: { width: number; height: number; flags: string; out: string }): string[] {
  const isSideways = video.rotationDegrees % 180 !== 0;
  const [width, height] = isSideways ? [to.height, to.width] : [to.width, to.height];
  const isRare = ["smpte240m", "ycgco", "ictcp", "gbr"].includes(video.colour.matrix ?? "");
  const from = `scale=${width}:${height}:flags=${to.flags}:in_color_matrix=${isRare ? "auto" : matrixOf(video)}`;
  const { transfer } = video.colour;
  return transfer === "sdr" ? [`${from}:${to.out}`] : [from, ...toneMapFilters(transfer), `scale=${to.out}`];
}

/** `asetnsamples`: the encoder takes no other length. */
function soundFilters(audio: AudioProbe): string {
  return [
    ...soundShape(audio),
    "aresample=48000:async=1:first_pts=0",
    "aformat=sample_fmts=fltp:channel_layouts=stereo",
    "asetnsamples=n=1024:p=0",
  ].join(",");
}

function peakFilters(audio: AudioProbe): string {
  return [
    ...soundShape(audio),
    `aresample=${peaksRate}:async=1:first_pts=0`,
    "aformat=sample_fmts=s16:channel_layouts=stereo",
  ].join(",");
}
