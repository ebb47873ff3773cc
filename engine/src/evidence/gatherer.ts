import type { Models } from "../models/models.ts";
import type {
  Consumer,
  Evidence,
  Frame,
  FrameFormat,
  PlanarFormat,
  PlanarFrame,
  Sound,
  StreamEnd,
} from "./evidence.ts";
import type { MediaType } from "./probe/media-type.ts";
import type { Probe } from "./probe/probe-shape.ts";

type Found<Key extends keyof Evidence> = NonNullable<Evidence[Key]>;

/** Evidence that is made from small frames alone, without models, while the file is decoded. */
export type FrameGatherers = {
  [Key in "flashes" | "patterns"]: (format: FrameFormat) => Consumer<Frame, Found<Key>>;
};

/** Evidence that is made from the 16 kHz sound while the file is decoded. */
export type SoundGatherers = { [Key in "tones" | "speech"]: (tools: GatherTools) => Consumer<Sound, Found<Key>> };

/**
 * Evidence that needs models, or the frames made for reading, while a film is decoded. What a film can show a still can
 * show: each of these is a `FileKey` too.
 */
export type PictureGatherers = {
  supers: (tools: GatherTools) => PictureConsumer<Found<"supers">>;
  /** Missing where its model is not installed. */
  nudity?: (tools: GatherTools) => PictureConsumer<Found<"nudity">>;
};

/**
 * Like `Consumer`, of one or both streams of frames. They run side by side, so that either may be ahead. `ends` has a
 * null for a stream that it did not take.
 */
export type PictureConsumer<Result> = {
  acceptSmall?: (frame: Frame, format: FrameFormat) => void | Promise<void>;
  acceptText?: (frame: PlanarFrame, format: PlanarFormat) => void | Promise<void>;
  finish: (ends: PictureEnds) => Result | Promise<Result>;
};

export type PictureEnds = { small: StreamEnd | null; text: StreamEnd | null };

/** What gatherers may use besides the stream they are given. */
export type GatherTools = {
  models: Models;
  probe: Probe;
  /** The streams are those of a part of the film. */
  isPart?: boolean;
};

/** Evidence that a jailed child of its own reads from the file (see jail/worker.ts), or that is made from a still. Null: does not apply to this file. */
export type FileGatherers = {
  [Key in Exclude<FileKey, "nudity">]: (options: FileGatherOptions) => Promise<Evidence[Key]>;
} & { nudity?: (options: FileGatherOptions) => Promise<Evidence["nudity"]> };

export type FileGatherer = NonNullable<FileGatherers[FileKey]>;

export type FileKey = "document" | "image" | "metadata" | "captions" | keyof PictureGatherers;

export type FileGatherOptions = GatherTools & {
  file: string;
  mediaType: MediaType;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
};
