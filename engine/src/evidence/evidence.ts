import type { Probe } from "./probe/probe-shape.ts";
import type { YuvMatrix } from "./pixels/yuv-to-rgb.ts";

/**
 * Everything that checks can ask for, by key. A key is gathered only when a chosen check needs it. `null` means that it
 * does not apply to this file (no sound, no pages), never that gathering failed: a failure ends the analysis.
 */
export type Evidence = {
  probe: Probe;
  black: Span[] | null;
  freezes: Span[] | null;
  silences: Span[] | null;
  loudness: LoudnessEvidence | null;
  flashes: FlashEvidence | null;
  patterns: PatternEvidence | null;
  tones: ToneEvidence | null;
  document: DocumentEvidence | null;
  image: ImageEvidence | null;
  metadata: MetadataEvidence | null;
  supers: SuperEvidence | null;
  speech: SpeechEvidence | null;
  captions: CaptionEvidence | null;
  nudity: NudityEvidence | null;
};

export type EvidenceKey = keyof Evidence;

/** A stretch of time, in seconds from the start of the presentation. `endSeconds` is where it is over, exclusive. */
export type Span = { startSeconds: number; endSeconds: number };

/**
 * Something that a person can see, hear or read in the file and that was not checked, with its reason. A gatherer that
 * cannot read a part of the file must return one: silence would pass for a clean bill.
 */
export type Omission = {
  /** What was not checked and why, as a sentence without its place: "Text in Greek was not read." */
  what: string;
  startSeconds?: number;
  endSeconds?: number;
  /** From 1. */
  page?: number;
  /** Where in the picture or on the page. */
  region?: Region;
};

/** How the pixels of every frame of one stream are laid out: rows from the top, rgb24, no padding. */
export type FrameFormat = {
  width: number;
  height: number;
  /** The picture as it is meant to be seen: pixel aspect and rotation applied. */
  displayWidth: number;
  displayHeight: number;
  /**
   * What the code values mean. Pixels of "pq" and "hlg" are not tone-mapped: they are the 8-bit code values of that
   * transfer in BT.2020 primaries, so that a consumer can compute cd/m² or say that it does not judge them.
   */
  transfer: "sdr" | "pq" | "hlg";
  /** Average frames a second; null when the file does not say. Frame times are true either way. */
  framesPerSecond: number | null;
};

/**
 * One frame. `pixels` is reused for the next one: copy what has to outlive the call. A decoder makes it from the planes
 * when it is first asked for, which costs more than most questions about a frame: ask late.
 */
export type Frame = { index: number; seconds: number; readonly pixels: Uint8Array; planes?: FramePlanes };

/** The frame as it left the decoder, laid out as in `PlanarFrame`. Left out where only pixels are known. */
export type FramePlanes = { yuv: Uint8Array; matrix: YuvMatrix };

/**
 * One frame as it left the decoder: the planes of brightness, then of the two colours at half the width and height,
 * limited range. `yuv` is reused for the next one.
 */
export type PlanarFrame = { index: number; seconds: number; yuv: Uint8Array };

/** `matrix` says how the planes become red, green and blue. */
export type PlanarFormat = FrameFormat & { matrix: YuvMatrix };

/** 16 kHz mono. Sample n of the stream is heard at n / 16000 seconds: gaps and late starts are filled with silence. */
export type Sound = { startSeconds: number; samples: Int16Array };

export const soundSampleRate = 16_000;

/**
 * Takes a stream piece by piece and says at its end what it found. A promise from `accept` holds the decoder back;
 * nothing is buffered meanwhile.
 */
export type Consumer<Item, Result> = {
  accept: (item: Item) => void | Promise<void>;
  finish: (end: StreamEnd) => Result | Promise<Result>;
};

/** `durationSeconds`: where the last frame or sample of the stream is over. */
export type StreamEnd = { durationSeconds: number; count: number };

export type LoudnessEvidence = {
  /** Null: nothing louder than the gate of -70 LUFS. */
  integratedLufs: number | null;
  maxShortTermLufs: number | null;
  maxMomentaryLufs: number | null;
  rangeLu: number | null;
  truePeakDbtp: number | null;
  /** Value n is measured over the window that ends at `startSeconds` + (n + 1) × `stepSeconds`; null: not full, or silence. */
  curve: {
    startSeconds: number;
    stepSeconds: number;
    momentaryLufs: (number | null)[];
    shortTermLufs: (number | null)[];
  };
};

export type FlashKind = "general" | "red";

/**
 * Whose area counts: more than 25 % of the picture (ITU-R BT.1702, Ofcom), or more than 25 % of any ten degrees of sight
 * (WCAG 2.3.1), which is 3.7 % of a 16:9 picture at full screen. A sequence can be one of each.
 */
export type FlashStandard = "broadcast" | "wcag";

export type FlashSequence = Span & {
  kind: FlashKind;
  standard: FlashStandard;
  /** Pairs of opposing changes. */
  flashes: number;
  maxPerSecond: number;
  /** The largest share of the frame that flashed at once, 0 to 1. */
  areaShare: number;
  /** The same share within the 10° field of view in which it was largest, 0 to 1. */
  windowShare: number;
  region: Region | null;
};

export type FlashEvidence = {
  /** Null: judged. Otherwise why not, for people ("HLG is not judged yet"). */
  notJudged: string | null;
  /** The most in any one second, by the area that counts in broadcasting. */
  maxGeneralPerSecond: number;
  maxRedPerSecond: number;
  /** The same by WCAG's area. */
  wcag: { maxGeneralPerSecond: number; maxRedPerSecond: number };
  /** Two or more flashes a second. What lasts longer than 5 s is a risk even within the limits. */
  sequences: FlashSequence[];
  /** For the curve of the measurements: one value a step. Luminance: mean of the picture in cd/m², SDR white = 200. */
  curve: { stepSeconds: number; luminance: number[]; generalPerSecond: number[]; redPerSecond: number[] };
};

/** How light and dark move from frame to frame; `reversing`: they change places. */
export type PatternMotion = "still" | "moving" | "reversing";

export type PatternEvidence = {
  notJudged: string | null;
  patterns: (Span & {
    pairs: number;
    areaShare: number;
    brightNits: number;
    motion: PatternMotion;
    region: Region | null;
  })[];
};

/** `weather_alarm`: the 1050 Hz tone of NOAA Weather Radio. */
export type ToneKind = "eas_attention" | "eas_header" | "weather_alarm";

export type ToneEvidence = { tones: (Span & { kind: ToneKind; levelDbfs: number })[] };

/** A place in the picture or on the page, in fractions of its width and height, from the top left. */
export type Region = { x: number; y: number; width: number; height: number };

/** A run of text with its place. `kind` tells text that a reader of the printed page would not see. */
export type TextBlock = {
  text: string;
  kind: "body" | "header" | "footer" | "note" | "comment" | "footnote" | "inserted" | "deleted" | "hidden" | "cell";
  region: Region | null;
  /** The smallest letters of it; left out where the format or the reader does not tell. */
  sizePoints?: number;
  /** WCAG's ratio of letters to what is behind them, 1 to 21, where it is least; left out where it is not known. */
  contrastRatio?: number;
  /** Read from a picture in the document, or from letters that are drawn as shapes. */
  isPicture?: boolean;
  /** Of hidden text: where it is, or why nobody sees it ("off the page"). */
  why?: string;
};

/** Text in the file that is not what the page shows: what is copied and searched is another text than what is read. */
export type TextLie = { page: number; says: string; shows: string; region: Region | null };

export type DocumentPage = {
  page: number;
  text: string;
  blocks: TextBlock[];
  /** True where the page has no text of its own: what there is was read from its picture. */
  needsReading: boolean;
};

export type Cue = Span & { text: string; lines: string[] };

/** Text in the picture, from its first to its last frame. The times of a still picture are null. */
export type Super = {
  text: string;
  startSeconds: number | null;
  endSeconds: number | null;
  /** The height of a capital letter or figure, in lines of the original frame and as a share of it. */
  heightLines: number;
  heightShare: number;
  /** WCAG's ratio of letters to what is behind them, 1 to 21, where it was least; null: could not be told. */
  contrastRatio: number | null;
  region: Region;
  /** Scrolling and crawling text is one super; `region` is all that it passed through. */
  isMoving: boolean;
  /** How sure the reader was, 0 to 1. */
  confidence: number;
  /** The content of a QR code: nobody reads it by eye, so no size or time of print applies to it. */
  isCode?: boolean;
};

export type SuperEvidence = { supers: Super[]; readerCalls: number; omissions?: Omission[] };

/** `isDoubtful`: the words are a guess (another language, singing, noise), not to be judged as words. */
export type SpeechSegment = Span & { text: string; confidence: number; isDoubtful: boolean };

export type SpeechEvidence = {
  segments: SpeechSegment[];
  /** Why the words are not to be trusted as a whole, for people ("The speech does not sound like English."). */
  notJudged: string | null;
  omissions?: Omission[];
};

/** Subtitle streams inside a film; caption files are documents with cues. */
export type CaptionEvidence = {
  tracks: { language: string | null; codec: string; cues: Cue[] }[];
  omissions?: Omission[];
};

/** Pictures that a person should look at; never evidence by itself. */
export type NudityEvidence = { looks: { seconds: number | null; score: number }[] };

export type DocumentEvidence = {
  pages: DocumentPage[];
  /** Caption files only. */
  cues: Cue[] | null;
  /** What was left out and why ("only the first 2,000 of 100,000 pages"), empty when nothing was. */
  limits: string[];
  /** PDF: where what is drawn differs from the text that the file gives for it. The pages hold what is drawn. */
  lies?: TextLie[];
  omissions?: Omission[];
};

export type ImageEvidence = {
  width: number;
  height: number;
  frameCount: number;
  hasAlpha: boolean;
  /** The EXIF orientation of the file; `width` and `height` are those of the upright picture. */
  orientation: number | null;
  /** Animations only: the frames of the others are pages side by side. */
  durationSeconds: number | null;
  omissions?: Omission[];
};

export type MetadataEvidence = {
  gps: { latitude: number; longitude: number; source: string } | null;
  /** Who and what made it: `{ name: "camera", value: "…", source: "EXIF Model" }`. */
  entries: { name: string; value: string; source: string }[];
  /** The last segment of the IPTC digital source type, e.g. `trainedAlgorithmicMedia`. */
  digitalSourceType: { value: string; source: string } | null;
  contentCredentials: ContentCredentials | null;
  omissions?: Omission[];
};

export type ContentCredentials = {
  /** Signature, hashes and assertions hold; whether the signer is on anybody's trust list is not judged. */
  isValid: boolean;
  isAiMade: boolean;
  issuer: string | null;
  /** The program that made the claim. */
  claimGenerator: string | null;
  /** What was done to the file, oldest first: `c2pa.created`, `c2pa.edited`. */
  actions: string[];
  /** Codes of the C2PA standard: why it is not valid, or what could not be determined. */
  problems: string[];
  /** A second computation of the hash says so too. */
  isChangeConfirmed?: boolean;
};
