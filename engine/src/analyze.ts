import type { Evidence, EvidenceKey } from "./evidence/evidence.ts";
import { gatherEvidence } from "./evidence/gather.ts";
import type { MediaType } from "./evidence/media-type.ts";
import { probeFile } from "./evidence/probe.ts";
import type { Probe } from "./evidence/probe-shape.ts";
import { defaultMaxDurationSeconds } from "./evidence/too-long.ts";
import { type Finding, nowhere } from "./finding.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { type Measurements, measurementsOf } from "./measurements.ts";
import { AnalysisError } from "./analysis-error.ts";
import type { Check, Context, RawFinding, Sidekick } from "./sidekick.ts";
import { builtInSidekicks } from "./sidekicks.ts";

export type AnalysisRequest = {
  /** Path of a local copy that nobody changes meanwhile. */
  file: string;
  mediaType: MediaType;
  /** The chosen ones; an empty list probes the file and finds nothing. */
  sidekickIds: readonly string[];
  context: Context;
  maxDurationSeconds?: number;
};

export type AnalysisResult = { probe: Probe; findings: Finding[]; measurements: Measurements };

export type AnalysisListeners = {
  /** 0 to 1, never going back. */
  onProgress?: ((fraction: number) => void) | undefined;
  onProbe?: ((probe: Probe) => void) | undefined;
  onFinding?: ((finding: Finding) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * The whole analysis. Throws an AnalysisError, or the signal's reason when it was aborted. It never loads a parser of
 * foreign bytes itself; still, a service runs it by way of child.ts, because checks may need more time than it has.
 */
export async function analyze(
  request: AnalysisRequest,
  options: AnalysisListeners & { sidekicks?: readonly Sidekick[] } = {},
): Promise<AnalysisResult> {
  const { signal } = options;
  signal?.throwIfAborted();
  const progress = monotone(options.onProgress);
  const maxDurationSeconds = request.maxDurationSeconds ?? defaultMaxDurationSeconds;
  const chosen = chooseSidekicks(request.sidekickIds, options.sidekicks ?? builtInSidekicks);

  const { file, mediaType } = request;
  const probe = await probeFile({ file, mediaType, maxDurationSeconds, signal });
  options.onProbe?.(probe);
  progress(0.05);

  const plan = planChecks(chosen, probe);
  const needs = new Set<EvidenceKey>(plan.flatMap(({ check }) => check.needs));
  const onProgress = (fraction: number) => progress(0.05 + 0.9 * fraction);
  const evidence = await gatherEvidence({ file, mediaType, probe, needs, maxDurationSeconds, signal, onProgress });
  progress(0.95);

  const findings: Finding[] = [];
  for (const { sidekick, check } of plan) {
    signal?.throwIfAborted();
    for (const raw of check.run(evidence, request.context)) {
      const finding = complete(raw, sidekick);
      findings.push(finding);
      options.onFinding?.(finding);
    }
  }
  progress(1);
  return { probe, findings, measurements: measurementsOf(evidence) };
}

function chooseSidekicks(ids: readonly string[], known: readonly Sidekick[]): Sidekick[] {
  return ids.map((id) => {
    const sidekick = known.find((candidate) => candidate.sidekickId === id);
    if (sidekick !== undefined) return sidekick;
    throw new AnalysisError("internal_error", `The sidekick ${id} is not installed on the worker that took the file.`);
  });
}

type PlannedCheck = { sidekick: Sidekick; check: Check };

function planChecks(chosen: Sidekick[], probe: Evidence["probe"]): PlannedCheck[] {
  return chosen.flatMap((sidekick) =>
    sidekick.checks.flatMap((check) => (check.appliesTo.includes(probe.kind) ? [{ sidekick, check }] : [])),
  );
}

function complete(raw: RawFinding, sidekick: Sidekick): Finding {
  const rule = sidekick.rules.find((candidate) => candidate.code === raw.ruleCode);
  if (rule === undefined) throw new Error(`${sidekick.name} reported ${raw.ruleCode}, which is none of its rules.`);
  return {
    ruleCode: rule.code,
    sidekickId: sidekick.sidekickId,
    sidekickName: sidekick.name,
    packVersion: sidekick.packVersion,
    summary: raw.summary,
    severity: raw.severity ?? rule.severity,
    severityReasoning: raw.severityReasoning,
    severityReasoningHeadline: raw.severityReasoningHeadline,
    needsHuman: raw.needsHuman ?? false,
    precedents: raw.precedents ?? [],
    fingerprint: fingerprintOf(raw),
    location: raw.location === undefined ? null : { ...nowhere, ...raw.location },
    measurement: raw.measurement ?? null,
    recommendation: raw.recommendation ?? rule.fix,
    citation: raw.citation ?? rule.citation,
  };
}

function monotone(onProgress: ((fraction: number) => void) | undefined): (fraction: number) => void {
  let last = 0;
  return (fraction) => {
    const next = Math.min(1, fraction);
    if (!(next > last)) return;
    last = next;
    onProgress?.(next);
  };
}
