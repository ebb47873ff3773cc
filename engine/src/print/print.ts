import type { MediaKind } from "../evidence/probe/probe-shape.ts";
import type { Region } from "../evidence/evidence.ts";

/**
 * What a file shows, says and plays, small enough to be kept: another file can be compared with it when the first one is
 * long gone. Nothing of it is a judgement.
 */
export type Print = {
  kind: MediaKind;
  /** Of the file. */
  sha256: string;
  sizeBytes: number;
  /** How many there are: only the first picture and the first sound are compared. */
  trackCounts: { video: number; audio: number; captions: number };
  /** Of what each stream carries, without its container. Null: not made of this kind of file. */
  streams: StreamPrint[] | null;
  picture: PicturePrint | null;
  sound: SoundPrint | null;
  pages: PagePrint[] | null;
  supers: TimedText[];
  words: TimedText[];
  captions: string[];
  findings: FindingPrint[];
};

export type StreamPrint = { kind: "video" | "audio"; codec: string; sha256: string };

/** Times are null where nothing moves. */
export type TimedText = {
  text: string;
  startSeconds: number | null;
  endSeconds: number | null;
  region: Region | null;
};

export type FindingPrint = { fingerprint: string; ruleCode: string; severity: string; summary: string };

export type PicturePrint = {
  displayWidth: number;
  displayHeight: number;
  /** Null: a still picture. */
  framesPerSecond: number | null;
  durationSeconds: number;
  columns: number;
  rows: number;
  /** Sample n is what is seen `n × stepSeconds + phaseSeconds` after the first frame. */
  stepSeconds: number;
  /** Mean brightness of every cell, sample after sample. */
  grid: Uint8Array;
  /** When each frame is first seen. */
  times: Float64Array;
  /** Of each frame: brightness and two colours of `blockCount` blocks, in 1/64. */
  blocks: Uint16Array;
  shots: Shot[];
};

/** A small picture for people, 16 shades of grey, two pixels a byte. */
export type Shot = { seconds: number; width: number; height: number; pixels: Uint8Array };

export type SoundPrint = {
  durationSeconds: number;
  integratedLufs: number | null;
  truePeakDbtp: number | null;
  /** Momentary loudness, one a second. */
  lufs: (number | null)[];
  /** See sound-bands.ts. */
  bands: Uint8Array;
};

/** One page: its words, and where it can be drawn its picture. */
export type PagePrint = { text: string; picture: { width: number; height: number; pixels: Uint8Array } | null };

/** In the middle of a frame of 25 a second, so that a rounded time never picks the neighbour. */
export const phaseSeconds = 0.02;
export const blockColumns = 4;
export const blockRows = 4;
/** Values of one frame in `blocks`. */
export const blockValues = blockColumns * blockRows * 3;
