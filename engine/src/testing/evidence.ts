import { assetText } from "../text/asset-text.ts";
import type { Evidence, LoudnessEvidence, SpeechSegment, Super } from "../evidence/evidence.ts";
import { emptyEvidence } from "../evidence/empty-evidence.ts";
import { findCheckKind } from "../checks/kinds.ts";
import type { Probe } from "../evidence/probe/probe-shape.ts";
import type { Finding } from "../finding.ts";
import { judgeRules, planRules } from "../rules/judge.ts";
import type { Context, Rule, Sidekick } from "../sidekick.ts";
import { makeSidekick } from "./sidekicks.ts";

/** A well-made HD film of 30 s. */
export const filmProbe: Probe = {
  kind: "video",
  container: "mp4",
  sizeBytes: 1000,
  durationSeconds: 30,
  containerDurationSeconds: 30,
  video: {
    streamIndex: 0,
    codec: "h264",
    pixelFormat: "yuv420p",
    bitDepth: 8,
    width: 1920,
    height: 1080,
    displayWidth: 1920,
    displayHeight: 1080,
    pixelAspect: 1,
    rotationDegrees: 0,
    framesPerSecond: 25,
    isConstantFrameRate: true,
    fieldOrder: "progressive",
    durationSeconds: 30,
    colour: { transferName: "bt709", primaries: "bt709", matrix: "bt709", range: "limited", transfer: "sdr" },
  },
  audio: {
    streamIndex: 1,
    codec: "aac",
    sampleRate: 48_000,
    channels: 2,
    channelLayout: "stereo",
    language: null,
    durationSeconds: 30,
  },
  audioStreamCount: 1,
  videoStreamCount: 1,
  subtitleStreams: [],
  image: null,
  pages: null,
  truncatedAtSeconds: null,
  notes: [],
};

/** Small print as it should be: white on black at the bottom, small letters of 33 lines, held for 10 s. */
export function makeSuper(text: string, differences: Partial<Super> = {}): Super {
  return {
    text,
    startSeconds: 10,
    endSeconds: 20,
    heightLines: 44,
    heightShare: 44 / 1080,
    contrastRatio: 15,
    region: { x: 0.1, y: 0.88, width: 0.8, height: 0.055 },
    isMoving: false,
    confidence: 0.97,
    ...differences,
  };
}

/** A sound of that average loudness and nothing else that is remarkable. */
export function makeSound(
  integratedLufs: number | null,
  differences: Partial<LoudnessEvidence> = {},
): LoudnessEvidence {
  return {
    integratedLufs,
    maxShortTermLufs: null,
    maxMomentaryLufs: null,
    rangeLu: null,
    truePeakDbtp: -9,
    curve: { startSeconds: 0, stepSeconds: 0.1, momentaryLufs: [], shortTermLufs: [] },
    ...differences,
  };
}

export function makeSpeech(
  ...segments: [startSeconds: number, endSeconds: number, text: string][]
): Evidence["speech"] {
  const make = ([startSeconds, endSeconds, text]: (typeof segments)[number]): SpeechSegment => ({
    startSeconds,
    endSeconds,
    text,
    confidence: 0.9,
    isDoubtful: false,
  });
  return { segments: segments.map(make), notJudged: null };
}

/** What a check, or the rules of a sidekick, find in hand-made evidence. */
export function judge(
  what: (Pick<Rule, "check"> & Partial<Rule>) | Sidekick,
  found: Partial<Evidence>,
  context: Context = {},
): Finding[] {
  const sidekick = "rules" in what ? what : makeSidekick(what);
  if (!("rules" in what)) refuseUnknownParameters(what.check);
  const evidence = { ...emptyEvidence(found.probe ?? filmProbe), ...found };
  const plan = planRules([sidekick], { probe: evidence.probe, context, today: "2100-01-01" });
  return judgeRules(plan, { evidence, text: assetText(evidence), context });
}

/** A misspelt parameter would be left out, and a test that finds nothing would pass. */
function refuseUnknownParameters({ kind: name, ...parameters }: Rule["check"]): void {
  const { properties = {} } = (findCheckKind(name)?.parameters ?? {}) as { properties?: Record<string, unknown> };
  const known = Object.keys(properties);
  const unknown = Object.keys(parameters).filter((each) => !known.includes(each));
  if (unknown.length > 0) throw new Error(`The check ${name} has no parameter ${unknown.join(", ")}.`);
}
