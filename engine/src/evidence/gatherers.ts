import { gatherCaptions } from "./captions/captions.ts";
import { gatherReadDocument } from "./documents/document-reading.ts";
import type { EvidenceKey } from "./evidence.ts";
import type { FileGatherers, FrameGatherers, PictureGatherers, SoundGatherers } from "./gatherer.ts";
import { gatherImage } from "./images/image.ts";
import { createFlashConsumer } from "./flashes/flashes.ts";
import { findModels } from "../models/find-models.ts";
import { createPatternConsumer } from "./patterns/patterns.ts";
import { gatherMetadata } from "./metadata/metadata.ts";
import { createNudityConsumer, gatherNudity } from "./nudity/nudity.ts";
import { createSpeechConsumer } from "./speech/speech.ts";
import { createSuperConsumer } from "./supers/supers.ts";
import { gatherImageSupers } from "./supers/supers-image.ts";
import { createToneConsumer } from "./tones/tones.ts";

export const frameGatherers: FrameGatherers = { flashes: createFlashConsumer, patterns: createPatternConsumer };

export const soundGatherers: SoundGatherers = { tones: createToneConsumer, speech: createSpeechConsumer };

/** The classifier is the operator's to install: without it nobody is asked to look, and the start banner says so. */
const { canJudgePictures } = findModels();

export const pictureGatherers: PictureGatherers = {
  supers: createSuperConsumer,
  ...(canJudgePictures && { nudity: createNudityConsumer }),
};

export const fileGatherers: FileGatherers = {
  document: gatherReadDocument,
  image: gatherImage,
  metadata: gatherMetadata,
  captions: gatherCaptions,
  supers: gatherImageSupers,
  ...(canJudgePictures && { nudity: gatherNudity }),
};

/** False for what needs a model that is not installed here: rules that need it were not judged. */
export function canGather(key: EvidenceKey): boolean {
  return key !== "nudity" || canJudgePictures;
}
