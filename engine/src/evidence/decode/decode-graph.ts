import type { FrameFormat } from "../evidence.ts";
import type { AudioProbe, Probe, VideoProbe } from "../probe/probe-shape.ts";
import type { YuvMatrix } from "../pixels/yuv-to-rgb.ts";

/** What to make of the file. Only what is asked for becomes part of the filter graph and costs anything. */
export type DecodeWants = {
  smallFrames: boolean;
  textFrames: boolean;
  textSampling?: TextSampling | undefined;
  black: boolean;
  freezes: boolean;
  sound: boolean;
  loudness: boolean;
  silences: boolean;
};

/** For who needs fewer and smaller frames than a reader does: the least time from one to the next, and their longer side. */
export type TextSampling = { everySeconds: number; longSide: number };

/**
 * Which descriptor carries what. Frames (planar 4:2:0, limited range) and sound are bare bytes; the logs beside them carry the time of each frame and
 * what the detectors saw, written before the frame itself.
 */
export const decodePipes = {
  small: 1,
  smallLog: 3,
  text: 4,
  textLog: 5,
  sound: 6,
  soundLog: 7,
} as const;

/** How many of them a decoder's process needs beyond the usual three. */
export const decodeExtraPipes = 5;

/**
 * The stretch of a film that is decoded, when it is not the whole one. All times stay those of the whole film. Picture
 * and sound begin where the whole film would be sampled too, which need not be at the same time.
 */
export type DecodeRange = {
  pictureFromSeconds: number;
  soundFromSeconds: number;
  /** Where the meter of loudness begins, whose steps of a tenth of a second count from the first sound of the film. */
  meterFromSeconds: number;
  /** Null: to the end. */
  untilSeconds: number | null;
};

export type DecodePlan = {
  contentType: string;
  range: DecodeRange | null;
  video: {
    streamIndex: number;
    matrix: YuvMatrix;
    small: FrameFormat | null;
    text: FrameFormat | null;
  } | null;
  audio: { streamIndex: number; soundChannels: 1 | 2 } | null;
  /** Chains by the output that they end in. A chain whose frames nobody takes still runs for its log. */
  chains: DecodeChain[];
};

export type DecodeChain = {
  from: "video" | "audio";
  filters: string;
  /** Where the log goes; null: none. */
  log: number | null;
  /** Where the bytes go; null: they are dropped. */
  bytes: number | null;
  /** Every frame gets a mark, so that the log also names frames in which no detector saw anything. */
  isMarked: boolean;
};

/** About the area of 320 × 180, in the picture's own shape: shares of area stay true and stripes keep their angles. */
const smallPixels = 320 * 180;
/** Every second frame of 24 to 30, every fourth of 50 or 60. Text comes and goes to within half of that. */
const forReading: TextSampling = { everySeconds: 0.066, longSide: 1280 };

/** As 7.1; libav guesses an arrangement for up to that many. */
export const maxArrangedChannels = 8;

const detectors = {
  // Every black frame counts here; how long is too long is the check's business.
  black: "blackdetect=d=0:pic_th=0.98:pix_th=0.10",
  freezes: "freezedetect=n=-60dB:d=0.5",
  silences: "silencedetect=n=-60dB:d=0.5",
  loudness: "ebur128=metadata=1:peak=true:framelog=verbose",
} as const;

/** What one decode has to do for these wants; null when it has nothing to do. */
export function planDecode(
  probe: Probe,
  contentType: string,
  wants: DecodeWants & { range?: DecodeRange | undefined },
): DecodePlan | null {
  const { video, audio } = probe;
  const range = wants.range ?? null;
  const picture = trim("trim", range?.pictureFromSeconds, range);
  const heard = trim("atrim", range?.soundFromSeconds, range);
  const metered = trim("atrim", range?.meterFromSeconds, range);
  const isFilm = probe.kind === "video";
  const small = wants.smallFrames || (isFilm && (wants.black || wants.freezes));
  const chains: DecodeChain[] = [];
  let smallFormat: FrameFormat | null = null;
  let textFormat: FrameFormat | null = null;
  if (video !== null && small) {
    smallFormat = formatOf(video, smallSize(video));
    const seen = isFilm
      ? [...(wants.black ? [detectors.black] : []), ...(wants.freezes ? [detectors.freezes] : [])]
      : [];
    chains.push({
      from: "video",
      filters: [...picture, shrink(video, smallFormat), ...seen].join(","),
      log: decodePipes.smallLog,
      bytes: wants.smallFrames ? decodePipes.small : null,
      isMarked: true,
    });
  }
  if (video !== null && wants.textFrames) {
    const { everySeconds, longSide } = wants.textSampling ?? forReading;
    textFormat = formatOf(video, sampledSize(video, longSide));
    chains.push({
      from: "video",
      filters: [...picture, sampled(everySeconds), shrink(video, textFormat)].join(","),
      log: decodePipes.textLog,
      bytes: decodePipes.text,
      isMarked: true,
    });
  }
  if (audio !== null && (wants.loudness || wants.silences)) {
    const seen = [...(wants.loudness ? [detectors.loudness] : []), ...(wants.silences ? [detectors.silences] : [])];
    // Silence alone says nothing for minutes: marked, so that the end of the sound and progress are known.
    const isMarked = !wants.loudness;
    const filters = [...metered, ...soundShape(audio), ...seen].join(",");
    chains.push({ from: "audio", filters, log: decodePipes.soundLog, bytes: null, isMarked });
  }
  if (audio !== null && wants.sound) {
    // Two are mixed by ourselves: see `mixDown`.
    const layout = soundChannelsOf(audio) === 2 ? "stereo" : "mono";
    // In samples of the file, not of what is made of them.
    const first = Math.round((range?.soundFromSeconds ?? 0) * audio.sampleRate);
    const mixed = [`aresample=16000:async=1:first_pts=${first}`, `aformat=sample_fmts=s16:channel_layouts=${layout}`];
    const filters = [...heard, ...soundShape(audio), ...mixed].join(",");
    chains.push({ from: "audio", filters, log: null, bytes: decodePipes.sound, isMarked: false });
  }
  if (chains.length === 0) return null;
  const uses = (from: DecodeChain["from"]) => chains.some((chain) => chain.from === from);
  return {
    contentType,
    range,
    video:
      video !== null && uses("video")
        ? {
            streamIndex: video.streamIndex,
            matrix: matrixOf(video),
            small: smallFormat,
            text: textFormat,
          }
        : null,
    audio:
      audio !== null && uses("audio")
        ? { streamIndex: audio.streamIndex, soundChannels: soundChannelsOf(audio) }
        : null,
    chains,
  };
}

/** A decoder begins at the key frame before; what is not wanted of it goes before anything looks at it. */
function trim(filter: "trim" | "atrim", start = 0, range: DecodeRange | null): string[] {
  const until = range?.untilSeconds ?? null;
  const bounds = [
    ...(start > 0 ? [`start=${start.toFixed(6)}`] : []),
    ...(until === null ? [] : [`end=${until.toFixed(6)}`]),
  ];
  return bounds.length === 0 ? [] : [`${filter}=${bounds.join(":")}`];
}

/** Where a decoder has to begin to read. What is heard at a time may be stored a little before what is seen then. */
export function seekSeconds({ pictureFromSeconds, soundFromSeconds }: DecodeRange): number {
  return Math.max(0, Math.min(pictureFromSeconds, soundFromSeconds) - 2);
}

function soundChannelsOf({ channels }: AudioProbe): 1 | 2 {
  return channels === 2 ? 2 : 1;
}

/**
 * Where the file does not say which channel is which, filters refuse to weigh or to mix them. One or two are what they
 * always are. So many that no arrangement is usual are tracks of their own, of which the first two are the programme.
 */
export function soundShape({ channels, channelLayout }: AudioProbe): string[] {
  if (channelLayout !== null) return [];
  if (channels > maxArrangedChannels) return ["pan=stereo|c0=c0|c1=c1"];
  return channels > 2 ? [] : [`aformat=channel_layouts=${channels === 1 ? "mono" : "stereo"}`];
}

/** The filter `fps` would move frames to even times and repeat them; this keeps each frame's own time. */
function sampled(leastSeconds: number): string {
  return `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${leastSeconds})'`;
}

/**
 * Smaller first, then turned, which costs a fraction of turning the whole picture. Matrix and range are spelled out at
 * every step: left to guess, versions of libav disagree, and reds differ.
 */
function shrink(video: VideoProbe, format: FrameFormat): string {
  const isSideways = video.rotationDegrees % 180 !== 0;
  const [width, height] = isSideways ? [format.height, format.width] : [format.width, format.height];
  const matrix = matrixOf(video);
  const isRare = ["smpte240m", "ycgco", "ictcp"].includes(video.colour.matrix ?? "");
  return [
    ...(video.reframe === undefined ? [] : [video.reframe]),
    `scale=${width}:${height}:flags=area:in_color_matrix=${isRare ? "auto" : matrix}:out_color_matrix=${matrix}:out_range=tv`,
    "format=yuv420p",
    "setsar=1",
    ...turn(video.rotationDegrees),
  ].join(",");
}

export function turn(degrees: VideoProbe["rotationDegrees"]): string[] {
  if (degrees === 90) return ["transpose=clock"];
  if (degrees === 270) return ["transpose=cclock"];
  return degrees === 180 ? ["hflip", "vflip"] : [];
}

/** The matrix in which a picture travels through the pipe: its own, because converting costs time and accuracy. */
export function matrixOf(video: VideoProbe): YuvMatrix {
  const { matrix } = video.colour;
  if (matrix?.startsWith("bt2020") === true) return "bt2020";
  if (matrix === "smpte170m" || matrix === "bt470bg" || matrix === "fcc") return "bt601";
  // Untagged: HD means BT.709 and SD BT.601 to every player, but not to libav.
  return matrix === null && video.height < 720 ? "bt601" : "bt709";
}

function formatOf(video: VideoProbe, size: { width: number; height: number }): FrameFormat {
  return {
    ...size,
    displayWidth: video.displayWidth,
    displayHeight: video.displayHeight,
    transfer: video.colour.transfer,
    framesPerSecond: video.framesPerSecond,
  };
}

function smallSize({ displayWidth, displayHeight }: VideoProbe): { width: number; height: number } {
  return fit({ displayWidth, displayHeight }, Math.sqrt(smallPixels / (displayWidth * displayHeight)));
}

export function sampledSize(
  { displayWidth, displayHeight }: VideoProbe,
  longSide = forReading.longSide,
): { width: number; height: number } {
  return fit({ displayWidth, displayHeight }, longSide / Math.max(displayWidth, displayHeight));
}

/** Never enlarged; even, and at least as wide as two pixels whatever the shape. */
function fit(size: { displayWidth: number; displayHeight: number }, factor: number): { width: number; height: number } {
  const shrunk = (side: number) => Math.max(2, Math.round((side * Math.min(1, factor)) / 2) * 2);
  return { width: shrunk(size.displayWidth), height: shrunk(size.displayHeight) };
}
