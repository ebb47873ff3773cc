import { type Static, Type } from "typebox";
import type { Evidence, LoudnessEvidence, SpeechEvidence } from "../../evidence/evidence.ts";
import { defineCheckKind, type Hit } from "../check-kind.ts";
import { level, percent, round, seconds, signed } from "../format-numbers.ts";
import { isOfForm, programmeLength } from "./programme-length.ts";

const Level = Type.Number({ minimum: -70, maximum: 0 });
const Units = Type.Number({ minimum: 0, maximum: 20 });

const parameters = Type.Object({
  /** Whose figures they are, for the sentences: "EBU R 128". */
  standard: Type.String({ minLength: 2 }),
  target: Level,
  toleranceLu: Units,
  /** What two honest meters may differ by: up to this much beyond the tolerance is reported as a measurement only. */
  meterToleranceLu: Type.Optional(Units),
  unit: Type.Optional(Type.Enum(["LUFS", "LKFS"])),
  /** Only what is too loud, or only what is too quiet; both otherwise. */
  side: Type.Optional(Type.Enum(["loud", "quiet"])),
  form: programmeLength,
  /** The peak that a change of gain must not lift the sound over. */
  maxTruePeakDbtp: Type.Optional(Type.Number()),
  /** Where somebody speaks for at least that share of the time, the speech is measured instead of everything. */
  dialogue: Type.Optional(
    Type.Object({
      target: Level,
      leastShare: Type.Number({ minimum: 0, maximum: 1 }),
      /** Our speech gate is an estimate: up to this far from the target it is minor. */
      minorUpToLu: Units,
    }),
  ),
});

type Parameters = Static<typeof parameters>;
type Measured = { lufs: number; target: number; isDialogue: boolean; share: number };

/** The average loudness of the whole sound against what its destination asks for. */
export const loudness = defineCheckKind({
  kind: "loudness",
  about: "The average loudness, against the target of a destination.",
  parameters,
  appliesTo: ["video", "audio"],
  needs: ({ dialogue }) => (dialogue === undefined ? ["loudness"] : ["loudness", "speech"]),
  run({ evidence, parameters: wanted }) {
    const measured = measure(evidence, wanted);
    if (measured === null || !isOfForm(evidence.probe, wanted.form)) return [];
    const { toleranceLu, meterToleranceLu = 0, side, dialogue } = wanted;
    const { lufs, target, isDialogue } = measured;
    const deviation = round(lufs - target, 1);
    const beyond = round(Math.abs(deviation) - toleranceLu, 1);
    if (beyond <= 0 || (side !== undefined && side !== (deviation > 0 ? "loud" : "quiet"))) return [];
    const isMinor = isDialogue && Math.abs(deviation) <= (dialogue?.minorUpToLu ?? 0);
    return [
      {
        ...describe(measured, { wanted, evidence, deviation }),
        ...(beyond <= meterToleranceLu ? { severity: "INFO" as const } : isMinor ? { severity: "MINOR" as const } : {}),
      },
    ];
  },
});

function describe(
  { lufs, target, isDialogue, share }: Measured,
  { wanted, evidence, deviation }: { wanted: Parameters; evidence: Evidence; deviation: number },
): Hit {
  const { standard, toleranceLu, meterToleranceLu = 0, unit = "LUFS" } = wanted;
  const what = isDialogue ? "The speech" : "The sound";
  const side = deviation > 0 ? "above" : "below";
  const beyond = round(Math.abs(deviation) - toleranceLu, 1);
  const how = isDialogue
    ? `Averaged over the moments in which somebody speaks (${percent(share)} of the time), with whatever plays beneath the voice: ${level(lufs)} ${unit}. This is an estimate; a dialogue-gated meter has the last word.`
    : `Averaged over the whole ${lengthOf(evidence)}: ${level(lufs)} ${unit}.`;
  const near =
    beyond <= meterToleranceLu ? ` That is within the ${meterToleranceLu} LU by which meters may differ.` : "";
  return {
    summary: `${what} averages ${level(lufs)} ${unit}, ${round(Math.abs(deviation), 1)} LU ${side} the ${level(target)} ${unit} of ${standard}.`,
    headline: `${level(lufs)} ${unit}; ${level(target)} ± ${toleranceLu} is asked for`,
    reasoning: `${how} ${level(lufs)} − (${level(target)}) = ${signed(deviation)} LU, where ±${toleranceLu} LU is allowed.${near}`,
    identity: deviation > 0 ? "too loud" : "too quiet",
    measurement: { value: round(lufs, 1), limit: target, unit },
    recommendation: recommend(-deviation, { wanted, loudness: evidence.loudness }),
  };
}

function recommend(
  gain: number,
  { wanted, loudness: found }: { wanted: Parameters; loudness: LoudnessEvidence | null },
): string {
  const change = `${gain < 0 ? "Lower" : "Raise"} the whole mix by ${round(Math.abs(gain), 1)} dB`;
  const { maxTruePeakDbtp } = wanted;
  const peak = found?.truePeakDbtp ?? null;
  if (gain < 0 || maxTruePeakDbtp === undefined || peak === null || peak + gain <= maxTruePeakDbtp) {
    return `${change}, then measure it again.`;
  }
  return `${change} and limit its peaks to ${level(maxTruePeakDbtp)} dBTP: the gain alone would lift them to ${signed(peak + gain)} dBTP. Then measure it again.`;
}

function measure({ loudness: found, speech, probe }: Evidence, { target, dialogue }: Parameters): Measured | null {
  if (found === null || found.integratedLufs === null) return null;
  const whole = { lufs: found.integratedLufs, target, isDialogue: false, share: 0 };
  if (dialogue === undefined || speech === null || probe.durationSeconds === null) return whole;
  const spoken = spokenLoudness(found, speech);
  const share = spoken.seconds / probe.durationSeconds;
  if (spoken.lufs === null || share < dialogue.leastShare) return whole;
  return { lufs: spoken.lufs, target: dialogue.target, isDialogue: true, share };
}

/** The mean energy of the 400 ms windows whose middle is in speech: close to a speech gate, without being one. */
function spokenLoudness(
  { curve }: LoudnessEvidence,
  { segments, notJudged }: SpeechEvidence,
): { lufs: number | null; seconds: number } {
  // Words in another language are doubtful as words, but they are a voice.
  const voice = segments.filter(({ text }) => text !== "" || notJudged !== null);
  let energy = 0;
  let windows = 0;
  for (const [index, value] of curve.momentaryLufs.entries()) {
    const middle = curve.startSeconds + (index + 1) * curve.stepSeconds - 0.2;
    const isSpoken = voice.some(({ startSeconds, endSeconds }) => middle >= startSeconds && middle < endSeconds);
    if (value === null || value < -70 || !isSpoken) continue;
    energy += 10 ** (value / 10);
    windows += 1;
  }
  return {
    lufs: windows === 0 ? null : 10 * Math.log10(energy / windows),
    seconds: voice.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0),
  };
}

function lengthOf({ probe }: Evidence): string {
  return probe.durationSeconds === null ? "sound" : seconds(probe.durationSeconds);
}
