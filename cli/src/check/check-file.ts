import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { AnalysisError } from "@greenlit/engine/analysis-error.ts";
import type { AnalysisResult } from "@greenlit/engine/analyze.ts";
import { type AnalysisCache, runAnalysisInChild } from "@greenlit/engine/child.ts";
import type { EvidenceFrame } from "@greenlit/engine/evidence/frames/frames.ts";
import type { Finding } from "@greenlit/engine/finding.ts";
import type { Measurements } from "@greenlit/engine/measurements.ts";
import type { ModelsOwner } from "@greenlit/engine/models/open-models.ts";
import type { Context, Sidekick } from "@greenlit/engine/sidekick.ts";
import type { Market } from "@greenlit/engine/markets/markets.ts";
import type { MarketVerdicts } from "./judge-markets.ts";
import { recogniseFile, Uncheckable } from "./recognise-file.ts";

export type CheckOptions = {
  sidekicks: readonly Sidekick[];
  context: Context;
  wantsFrames: boolean;
  models: ModelsOwner;
  /** Left out: only what the context asks for is judged. */
  markets?: readonly Market[] | undefined;
  /** For what one file's analysis can leave for the next. */
  cache?: AnalysisCache | undefined;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
};

/** An issue as the API answers it: what only a service knows is what a fresh one would have. */
export type CheckedIssue = Omit<Finding, "needsHuman"> & {
  id: string;
  referenceNumber: number;
  status: "OPEN" | "ACKNOWLEDGED" | "AWAITING_HUMAN_INPUT" | "RESOLVED" | "DISMISSED";
  createdAt: string;
  updatedAt: string;
  reopened: boolean;
  earlierIssueId: string | null;
};

export type CheckedFile = {
  path: string;
  /** Where it was checked by a service. */
  submissionId?: string;
  assetId?: string;
  kind: string | null;
  status: "complete" | "failed";
  errorType: string | null;
  errorMessage: string | null;
  issues: CheckedIssue[];
  measurements: Measurements | null;
  durationSeconds: number | null;
  /** For the HTML report; by the places of the issues in the list. */
  frames: EvidenceFrame[];
  /** Left out: no market was asked for. */
  verdicts?: MarketVerdicts;
};

const limits = { memoryBytes: 2 * 2 ** 30, timeoutSeconds: 4 * 3600 };

/** Everything the service would find in this file. A file that cannot be checked is reported, not thrown. */
export async function checkFile(path: string, options: CheckOptions): Promise<CheckedFile> {
  const { sidekicks, context, wantsFrames, models, cache, signal, onProgress } = options;
  try {
    const { contentType, category } = await recogniseFile(path);
    const { markets } = options;
    const request = {
      file: resolve(path),
      mediaType: { contentType, category },
      sidekicks,
      context,
      wantsFrames,
      wantsEvidence: markets !== undefined,
    };
    const result = await runAnalysisInChild(request, { ...limits, models, cache, signal, onProgress });
    const { keptEvidence } = result;
    if (markets === undefined || keptEvidence === undefined) return complete(path, result);
    // Loaded only here: a check without markets does without the parser of rules.
    const { judgeMarkets } = await import("./judge-markets.ts");
    return { ...complete(path, result), verdicts: judgeMarkets(keptEvidence, { markets, sidekicks, context }) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AnalysisError || error instanceof Uncheckable)) throw error;
    return { ...emptyFile(path), status: "failed", errorType: error.errorType, errorMessage: error.message };
  }
}

function complete(path: string, { probe, findings, measurements, frames }: AnalysisResult): CheckedFile {
  const now = new Date().toISOString();
  return {
    ...emptyFile(path),
    kind: probe.kind,
    durationSeconds: probe.durationSeconds,
    measurements,
    frames,
    issues: findings.map(({ needsHuman, ...finding }, index) => ({
      id: issueId(path, finding.fingerprint),
      referenceNumber: index + 1,
      status: needsHuman ? "AWAITING_HUMAN_INPUT" : "OPEN",
      createdAt: now,
      updatedAt: now,
      ...finding,
      reopened: false,
      earlierIssueId: null,
    })),
  };
}

/** A file of which nothing is known yet. */
export function emptyFile(path: string): CheckedFile {
  return {
    path,
    kind: null,
    status: "complete",
    errorType: null,
    errorMessage: null,
    issues: [],
    measurements: null,
    durationSeconds: null,
    frames: [],
  };
}

/** The same issue of the same file has the same id in every run, so that scripts can compare. */
function issueId(path: string, fingerprint: string): string {
  const hex = createHash("sha256").update(`${path}\n${fingerprint}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
