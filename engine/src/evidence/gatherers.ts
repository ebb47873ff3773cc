import { gatherDocument } from "./document.ts";
import type { Consumer, Evidence, Frame, FrameFormat, Sound } from "./evidence.ts";
import { gatherImage } from "./image.ts";
import { createFlashConsumer } from "./flashes.ts";
import type { MediaType } from "./media-type.ts";
import { createPatternConsumer } from "./patterns.ts";
import { gatherMetadata } from "./metadata.ts";
import type { Probe } from "./probe-shape.ts";
import { createToneConsumer } from "./tones.ts";

type Found<Key extends keyof Evidence> = NonNullable<Evidence[Key]>;

/** Evidence that is made frame by frame while the file is decoded. */
export type FrameGatherers = {
  [Key in "flashes" | "patterns"]?: (format: FrameFormat) => Consumer<Frame, Found<Key>>;
};

/** Evidence that is made from the 16 kHz sound while the file is decoded. */
export type SoundGatherers = { [Key in "tones"]?: () => Consumer<Sound, Found<Key>> };

/** Evidence that a jailed child of its own reads from the file (see worker.ts). Null: does not apply to this file. */
export type FileGatherers = {
  [Key in "document" | "image" | "metadata"]?: (options: FileGatherOptions) => Promise<Evidence[Key]>;
};

export type FileGatherOptions = {
  file: string;
  mediaType: MediaType;
  probe: Probe;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
};

export const frameGatherers: FrameGatherers = { flashes: createFlashConsumer, patterns: createPatternConsumer };

export const soundGatherers: SoundGatherers = { tones: createToneConsumer };

export const fileGatherers: FileGatherers = {
  document: gatherDocument,
  image: gatherImage,
  metadata: gatherMetadata,
};
