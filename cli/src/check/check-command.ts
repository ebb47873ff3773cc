import type { Severity } from "@greenlit/engine/finding.ts";
import type { Context } from "@greenlit/engine/sidekick.ts";

/** What the command line says. */
export type CheckCommand = {
  sidekick: string[];
  context?: Context;
  packs: string[];
  /** A commit: what changed since then is checked too. */
  changedSince?: string;
  markets?: string;
  json?: boolean;
  /** A line of JSON for each file, as soon as it is done. */
  ndjson?: boolean;
  sarif?: string;
  junit?: string;
  html?: string;
  failOn: Severity | "never";
};

/** Not 1, which a script takes for findings. */
export const notChecked = 2;
