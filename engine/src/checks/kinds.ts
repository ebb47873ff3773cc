import type { CheckKind } from "./check-kind.ts";
import { aiLabel } from "./ai-label.ts";
import { contentCredentials } from "./content-credentials.ts";
import { metadata } from "./metadata.ts";
import { nudity } from "./nudity.ts";
import { personalData } from "./personal-data.ts";
import { claim } from "./claim.ts";
import { declared } from "./declared.ts";
import { fileIntegrity } from "./file-integrity.ts";
import { flash } from "./flash.ts";
import { phrase } from "./phrase.ts";
import { black } from "./black.ts";
import { captionFormat } from "./caption-format.ts";
import { captionMissing } from "./caption-missing.ts";
import { freeze } from "./freeze.ts";
import { loudness } from "./loudness.ts";
import { shortTermLoudness } from "./short-term-loudness.ts";
import { silence } from "./silence.ts";
import { superAmount } from "./super-amount.ts";
import { superContrast } from "./super-contrast.ts";
import { superHeight } from "./super-height.ts";
import { superHold } from "./super-hold.ts";
import { superMotion } from "./super-motion.ts";
import { textContrast } from "./text-contrast.ts";
import { tone } from "./tone.ts";
import { truePeak } from "./true-peak.ts";
import { regularPattern } from "./regular-pattern.ts";
import { wording } from "./wording.ts";

/** Every kind of check that a rule can name, in the order they are explained. */
export const checkKinds: readonly CheckKind[] = [
  phrase,
  claim,
  wording,
  declared,
  flash,
  regularPattern,
  superHeight,
  superHold,
  superContrast,
  superMotion,
  superAmount,
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
