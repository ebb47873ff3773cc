import { Type } from "typebox";
import { defineCheckKind } from "../check-kind.ts";
import { level, round, signed } from "../format-numbers.ts";
import { isOfForm, programmeLength } from "./programme-length.ts";

/** Meters that keep to EBU Tech 3341 may read this much too high. */
const meterToleranceDb = 0.2;

/** Peaks that clip on their way to the listener. */
export const truePeak = defineCheckKind({
  kind: "true-peak",
  about: "The highest true peak, against the most that a destination takes.",
  parameters: Type.Object({
    standard: Type.String({ minLength: 2 }),
    maxDbtp: Type.Number({ minimum: -20, maximum: 0 }),
    /** Over the maximum, but no higher than this, is minor. */
    minorUpToDbtp: Type.Optional(Type.Number({ minimum: -20, maximum: 0 })),
    form: programmeLength,
  }),
  appliesTo: ["video", "audio"],
  needs: () => ["loudness"],
  run({ evidence, parameters }) {
    const peak = evidence.loudness?.truePeakDbtp ?? null;
    const { standard, maxDbtp, minorUpToDbtp, form } = parameters;
    if (peak === null || !isOfForm(evidence.probe, form)) return [];
    const over = round(peak - maxDbtp, 1);
    if (over <= 0) return [];
    const isNear = over <= meterToleranceDb;
    const isMinor = isNear || (minorUpToDbtp !== undefined && peak <= minorUpToDbtp);
    const doubt = isNear ? ` That is within the ${meterToleranceDb} dB by which meters may differ.` : "";
    const clips = peak > 0 ? " Above 0 dBTP it clips in every decoder." : "";
    return [
      {
        summary: `The sound peaks at ${signed(peak)} dBTP; the most for ${standard} is ${level(maxDbtp)} dBTP.`,
        headline: `${signed(peak)} dBTP; ${level(maxDbtp)} is the most`,
        reasoning: `The highest true peak is ${signed(peak)} dBTP: ${signed(peak)} − (${level(maxDbtp)}) = ${signed(over)} dB over the maximum.${doubt}${clips}`,
        identity: "",
        ...(isMinor ? { severity: "MINOR" as const } : peak > 0 ? { severity: "CRITICAL" as const } : {}),
        measurement: { value: round(peak, 1), limit: maxDbtp, unit: "dBTP" },
        recommendation: `Limit the peaks to ${level(maxDbtp)} dBTP with a true-peak limiter (at least ${over} dB less), or lower the whole mix by ${over} dB where its loudness allows it. Leave another 1 dB where the file will be coded again.`,
      },
    ];
  },
});
