export type MediaKind = "video" | "audio" | "image" | "document";

/** What the file is, from its headers and a look at its first and last packets. Nothing is decoded for it. */
export type Probe = {
  /** What it turned out to be: a `video/mp4` that holds only sound is "audio". */
  kind: MediaKind;
  /** Short name: mp4, mov, matroska, webm, avi, mpeg, mpegts, mxf, mp3, wav, ogg, flac, aac, jpeg, png, …, pdf, docx, text. */
  container: string;
  sizeBytes: number;
  /** Of the presentation; null for still images and documents, and where nothing tells. */
  durationSeconds: number | null;
  /** What the container's header says, whatever the streams hold. */
  containerDurationSeconds: number | null;
  /** The picture that is analysed: of a video or an animated image. Cover art is not video. */
  video: VideoProbe | null;
  /** The sound that is analysed: the default stream, else the first. */
  audio: AudioProbe | null;
  audioStreamCount: number;
  videoStreamCount: number;
  subtitleStreams: { codec: string; language: string | null }[];
  image: ImageProbe | null;
  /** Documents; null where the format has none. */
  pages: number | null;
  /** The file ends before its index says: seconds that can be played. */
  truncatedAtSeconds: number | null;
  /** What was chosen or could not be told, for people. */
  notes: string[];
  /** What a player shows or plays of the file beside what is analysed. */
  omissions?: { what: string }[];
};

export type VideoProbe = {
  streamIndex: number;
  codec: string;
  pixelFormat: string | null;
  bitDepth: number | null;
  /** As stored. */
  width: number;
  height: number;
  /** As seen: pixel aspect and rotation applied, even. */
  displayWidth: number;
  displayHeight: number;
  pixelAspect: number;
  /** Clockwise turn that a player makes: 0, 90, 180 or 270. */
  rotationDegrees: 0 | 90 | 180 | 270;
  framesPerSecond: number | null;
  /** Null: too few packets to tell. */
  isConstantFrameRate: boolean | null;
  fieldOrder: "progressive" | "interlaced" | "unknown";
  durationSeconds: number | null;
  /** For comparing: what a decoder does to the picture before anything else. `displayWidth` and so on are those after it. */
  reframe?: string;
  colour: ColourProbe;
};

export type ColourProbe = {
  /** As the file names it ("bt709", "smpte2084", …); null where it does not. */
  transferName: string | null;
  primaries: string | null;
  matrix: string | null;
  range: "limited" | "full" | null;
  transfer: "sdr" | "pq" | "hlg";
};

export type AudioProbe = {
  streamIndex: number;
  codec: string;
  sampleRate: number;
  channels: number;
  channelLayout: string | null;
  language: string | null;
  durationSeconds: number | null;
};

export type ImageProbe = { width: number; height: number; frameCount: number; codec: string };

/** A file about which nothing is known but this. */
export function makeProbe(known: Pick<Probe, "kind" | "container" | "sizeBytes"> & Partial<Probe>): Probe {
  const { kind, container, sizeBytes, ...rest } = known;
  return {
    kind,
    container,
    sizeBytes,
    durationSeconds: null,
    containerDurationSeconds: null,
    video: null,
    audio: null,
    audioStreamCount: 0,
    videoStreamCount: 0,
    subtitleStreams: [],
    image: null,
    pages: null,
    truncatedAtSeconds: null,
    notes: [],
    ...rest,
  };
}
