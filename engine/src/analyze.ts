import { AnalysisError } from "./analysis-error.ts";
import { type AssetText, assetText } from "./text/asset-text.ts";
import { textNeeds } from "./checks/check-kind.ts";
import { evidenceForEveryMarket, neededEvidence } from "./checks/needed-evidence.ts";
import { withHeardNames } from "./text/heard-names.ts";
import type { Evidence, EvidenceKey } from "./evidence/evidence.ts";
import { type EvidenceFrame, type MissingFrame, takeFrames } from "./evidence/frames/frames.ts";
import { gatherEvidence } from "./evidence/gather.ts";
import { canGather } from "./evidence/gatherers.ts";
import type { MediaType } from "./evidence/probe/media-type.ts";
import { probeFile } from "./evidence/probe/probe.ts";
import type { Probe } from "./evidence/probe/probe-shape.ts";
import { defaultMaxDurationSeconds } from "./evidence/probe/too-long.ts";
import type { Finding } from "./finding.ts";
import { packEvidence } from "./kept/kept-evidence.ts";
import { type FilmStep, type FilmStepResult, gatherPacked, joinFilm, planFilm } from "./film-steps.ts";
import { createFilmPrint } from "./print/film-print.ts";
import { makePrint } from "./print/make-print.ts";
import { packPrint } from "./print/pack-print.ts";
import { type Measurements, measurementsOf, noMeasurements } from "./measurements.ts";
import type { Models } from "./models/models.ts";
import { openModels } from "./models/open-models.ts";
import { judgeRules, planRules } from "./rules/judge.ts";
import type { PlannedRule } from "./rules/run-rules.ts";
import type { Context, Sidekick } from "./sidekick.ts";

export type AnalysisRequest = {
  /** Path of a local copy that nobody changes meanwhile. */
  file: string;
  mediaType: MediaType;
  /** The chosen ones; an empty list probes the file and finds nothing. */
  sidekicks: readonly Sidekick[];
  context: Context;
  /** Rules with a start date apply from it; today otherwise. */
  today?: string;
  maxDurationSeconds?: number;
  /** For people who look at the findings: takes a moment for each. */
  wantsFrames?: boolean;
  /** For judging it again later: gathers what rules of every market need, and gives it back packed. */
  wantsEvidence?: boolean;
  /** For comparing another file with this one later. */
  wantsPrint?: { sha256: string };
  /** One step of the analysis of a long film. Left out: it is analysed in one piece, however long. */
  film?: FilmStep;
};

export type AnalysisResult = {
  probe: Probe;
  findings: Finding[];
  measurements: Measurements;
  frames: EvidenceFrame[];
  /** Moments and pages of findings that could not be shown, for the log. */
  missingFrames: MissingFrame[];
  /** In base64, as `unpackEvidence` reads it; left out where nobody wanted it. */
  keptEvidence?: string;
  /** In base64, as `unpackPrint` reads it; left out where nobody wanted it. */
  print?: string;
  /** What came of a step instead of findings; left out with them. */
  film?: FilmStepResult;
};

export type AnalysisListeners = {
  /** 0 to 1, never going back. */
  onProgress?: ((fraction: number) => void) | undefined;
  onProbe?: ((probe: Probe) => void) | undefined;
  onFinding?: ((finding: Finding) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Left out: the analysis opens its own where something has to be read or heard. */
  models?: Models | undefined;
};

/**
 * The whole analysis. Throws an AnalysisError, or the signal's reason when it was aborted. It never loads a parser of
 * foreign bytes itself; still, a service runs it by way of child.ts, because checks may need more time than it has.
 */
export async function analyze(request: AnalysisRequest, options: AnalysisListeners = {}): Promise<AnalysisResult> {
  const { signal } = options;
  signal?.throwIfAborted();
  const progress = monotone(options.onProgress);
  const maxDurationSeconds = request.maxDurationSeconds ?? defaultMaxDurationSeconds;

  const { file, mediaType, context } = request;
  const probe = await probeFile({ file, mediaType, maxDurationSeconds, signal });
  options.onProbe?.(probe);
  progress(0.05);

  const today = request.today ?? new Date().toISOString().slice(0, 10);
  const plan = planRules(request.sidekicks, { probe, context, today });
  const wanted = [
    ...plan.flatMap(needsOf),
    ...(request.wantsEvidence ? evidenceForEveryMarket(request.sidekicks, probe.kind) : []),
  ];
  const step = request.film;
  const needs = new Set<EvidenceKey>(plan.length + wanted.length > 0 ? wanted : whatShowsDamage(probe));
  const nothing = { probe, findings: [], measurements: noMeasurements, frames: [], missingFrames: [] };
  const stepResult = (film: FilmStepResult): AnalysisResult => ({ ...nothing, film });
  const judge = createJudge(plan, { context, onFinding: options.onFinding });
  const onProgress = (fraction: number) => progress(0.05 + 0.9 * fraction);
  // Costs nothing until something has to be read or heard.
  await using ownModels = openModels();
  const models = options.models ?? ownModels;
  const gathering = { file, mediaType, probe, needs, models, maxDurationSeconds, signal, onProgress };
  if (step?.kind === "part") {
    const { part } = step;
    const wantsPrint = request.wantsPrint !== undefined;
    return stepResult(await gatherPacked({ ...gathering, needs: new Set(step.needs), part, wantsPrint }));
  }
  if (step?.kind === "cut") {
    const planned = await planFilm({ ...gathering, length: step.length, today });
    if (planned !== null) return stepResult(planned);
  }
  const joined = step?.kind === "join" ? await joinFilm({ files: step.files, probe, needs }) : null;
  if (joined !== null && "differs" in joined) return stepResult(joined);
  const watched = request.wantsPrint && createFilmPrint(probe, { wantsShots: true });
  const evidence =
    joined?.evidence ??
    (await gatherEvidence({
      ...gathering,
      film: watched,
      onPart: (part, missing) => judge.ready(part, missing),
    }));
  const film = joined?.film ?? watched;
  progress(0.95);

  const findings = judge.rest(evidence);
  progress(0.97);
  const { frames, missing } =
    request.wantsFrames === true
      ? await takeFrames({ file, mediaType, probe, findings, signal })
      : { frames: [], missing: [] };
  const print =
    film && request.wantsPrint
      ? await makePrint({ file, mediaType, probe, evidence, findings, film, ...request.wantsPrint, signal }).catch(
          withoutPrint,
        )
      : undefined;
  progress(1);
  const heard = withHeardNames(evidence, context);
  return {
    probe,
    findings,
    measurements: measurementsOf(heard, context, judge.textOf(heard)),
    frames,
    missingFrames: missing,
    ...(request.wantsEvidence && {
      keptEvidence: packEvidence({ evidence, gathered: [...needs].filter(canGather) }).toString("base64"),
    }),
    ...(print && { print: packPrint(print).toString("base64") }),
  };
}

/** A file that was analysed has its findings, whatever comes of its print; without one only its hash can be compared. */
function withoutPrint(error: unknown): undefined {
  if (!(error instanceof AnalysisError)) throw error;
}

/** Judges each rule as soon as its evidence is complete, so that a finding is known while a long film is still decoded. */
function createJudge(
  plan: readonly PlannedRule[],
  options: { context: Context; onFinding: AnalysisListeners["onFinding"] },
) {
  const found = new Map<PlannedRule, Finding[]>();
  const textOf = createTextOf();
  function judge(rules: readonly PlannedRule[], evidence: Evidence): void {
    const heard = withHeardNames(evidence, options.context);
    const findings = judgeRules(rules, { evidence: heard, text: textOf(heard), context: options.context });
    for (const planned of rules) {
      const { rule, sidekick } = planned;
      const own = findings.filter(
        ({ ruleCode, sidekickId }) => ruleCode === rule.code && sidekickId === sidekick.sidekickId,
      );
      found.set(planned, own);
    }
    for (const finding of findings) options.onFinding?.(finding);
  }
  return {
    textOf,
    ready(evidence: Evidence, missing: ReadonlySet<EvidenceKey>): void {
      const rules = plan.filter((planned) => !found.has(planned) && needsOf(planned).every((key) => !missing.has(key)));
      if (rules.length > 0) judge(rules, evidence);
    },
    /** All findings, in the order of the rules. */
    rest(evidence: Evidence): Finding[] {
      judge(
        plan.filter((planned) => !found.has(planned)),
        evidence,
      );
      return plan.flatMap((planned) => found.get(planned) ?? []);
    },
  };
}

/** The same text as long as nothing new was read: what was found in it is kept with it. */
function createTextOf(): (evidence: Evidence) => AssetText {
  let known: { text: AssetText; parts: readonly unknown[] } | null = null;
  return (evidence) => {
    const parts = textNeeds.map((key) => evidence[key]);
    if (known === null || parts.some((part, index) => part !== known?.parts[index]))
      known = { text: assetText(evidence), parts };
    return known.text;
  };
}

/** Without a rule nothing is judged, but a file that cannot be decoded must not end as complete. */
function whatShowsDamage({ kind, video }: Probe): EvidenceKey[] {
  if (kind === "video" || kind === "audio") return [video === null ? "silences" : "black"];
  return kind === "image" ? ["image"] : ["document"];
}

function needsOf({ kind, rule }: PlannedRule): readonly EvidenceKey[] {
  return neededEvidence(kind, rule);
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
