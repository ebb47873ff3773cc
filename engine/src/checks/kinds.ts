import type { CheckKind } from "./check-kind.ts";
import { aiLabel } from "./ai-label.ts";
import { contentCredentials } from "./content-credentials.ts";
import { metadata } from "./metadata.ts";
import { nudity } from "./nudity.ts";
import { personalData } from "./personal-data.ts";
import { claim } from "./claim.ts";
import { fileIntegrity } from "./file-integrity.ts";
import { flash } from "./flash.ts";
import { phrase } from "./phrase.ts";
import { regularPattern } from "./regular-pattern.ts";
import { wording } from "./wording.ts";

/** Every kind of check that a rule can name, in the order they are explained. */
export const checkKinds: readonly CheckKind[] = [
  phrase,
  claim,
  wording,
  flash,
  regularPattern,
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
