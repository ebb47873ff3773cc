import type { CheckKind } from "./check-kind.ts";
import { aiLabel } from "./file/ai-label.ts";
import { contentCredentials } from "./file/content-credentials.ts";
import { metadata } from "./file/metadata.ts";
import { nudity } from "./picture/nudity.ts";
import { personalData } from "./wording/personal-data.ts";
import { concept } from "./wording/concept.ts";
import { claim } from "./wording/claim.ts";
import { declared } from "./wording/declared.ts";
import { fileIntegrity } from "./file/file-integrity.ts";
import { flash } from "./picture/flash.ts";
import { phrase } from "./wording/phrase.ts";
import { black } from "./picture/black.ts";
import { captionFormat } from "./captions/caption-format.ts";
import { captionMissing } from "./captions/caption-missing.ts";
import { freeze } from "./picture/freeze.ts";
import { loudness } from "./sound/loudness.ts";
import { shortTermLoudness } from "./sound/short-term-loudness.ts";
import { silence } from "./sound/silence.ts";
import { printSize } from "./supers/print-size.ts";
import { superAmount } from "./supers/super-amount.ts";
import { superContrast } from "./supers/super-contrast.ts";
import { superHeight } from "./supers/super-height.ts";
import { superHold } from "./supers/super-hold.ts";
import { superMotion } from "./supers/super-motion.ts";
import { textContrast } from "./supers/text-contrast.ts";
import { tone } from "./sound/tone.ts";
import { truePeak } from "./sound/true-peak.ts";
import { regularPattern } from "./picture/regular-pattern.ts";
import { meaning } from "./wording/meaning.ts";
import { wording } from "./wording/wording.ts";

/** Every kind of check that a rule can name, in the order they are explained. */
export const checkKinds: readonly CheckKind[] = [
  phrase,
  claim,
  concept,
  wording,
  declared,
  meaning,
  flash,
  regularPattern,
  superHeight,
  superHold,
  superContrast,
  superMotion,
  superAmount,
  printSize,
  loudness,
  shortTermLoudness,
  truePeak,
  black,
  freeze,
  silence,
  tone,
  captionFormat,
  captionMissing,
  textContrast,
  personalData,
  metadata,
  aiLabel,
  contentCredentials,
  nudity,
  fileIntegrity,
];

export function findCheckKind(kind: string): CheckKind | undefined {
  return checkKinds.find((candidate) => candidate.kind === kind);
}
