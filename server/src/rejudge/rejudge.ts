import type { Finding } from "@greenlit/engine/finding.ts";
import type { Measurements } from "@greenlit/engine/measurements.ts";
import type { Context } from "@greenlit/engine/sidekick.ts";
import type { Selectable } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { FindingChange } from "./diff-findings.ts";

/** Which assets: those that completed in a span of time, or those of some submissions. */
export type RejudgeFilter = { since?: string; until?: string; submissionIds?: string[] };

export type RejudgeRequest = {
  filter: RejudgeFilter;
  /** Takes the place of what each asset's submission declared, key by key. */
  context: Context | null;
  /** Null: those that each submission chose. */
  sidekickIds: string[] | null;
};

export type Run = Selectable<Tables["rejudges"]>;

/** An asset with kept evidence. */
export type Candidate = {
  assetId: string;
  submissionId: string;
  filename: string;
  context: Context & Record<string, unknown>;
  sidekickIds: string[];
  evidenceKey: string;
  evidenceEtag: string;
  evidenceSha256: string;
  evidenceSizeBytes: number;
};

export type Judged = {
  candidate: Candidate;
  context: Context & Record<string, unknown>;
  findings: Finding[];
  measurements: Measurements | null;
  changes: FindingChange[];
};
