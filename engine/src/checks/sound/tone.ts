import { Type } from "typebox";
import type { Span, ToneEvidence, ToneKind } from "../../evidence/evidence.ts";
import { severities } from "../../finding.ts";
import { jurisdictionsOf } from "../../rules/context.ts";
import { defineCheckKind, type Hit } from "../check-kind.ts";
import { level, list, round, seconds } from "../format-numbers.ts";

type Tone = ToneEvidence["tones"][number];

const tones: Readonly<Record<ToneKind, string>> = {
  eas_attention: "the Attention Signal (853 and 960 Hz together)",
  eas_header: "header codes (data bursts at 2083 and 1563 Hz)",
  weather_alarm: "the warning tone of NOAA Weather Radio (1050 Hz)",
};

/** An alert is codes, signal and codes again: what follows within this time is the same alert. */
const sameAlertSeconds = 10;

/** The sounds of public alerts, which nothing but an alert may make. */
export const tone = defineCheckKind({
  kind: "tone",
  about: "The sounds of the US Emergency Alert System, or of NOAA Weather Radio.",
  parameters: Type.Object({
    tones: Type.Array(Type.Enum(Object.keys(tones) as ToneKind[]), { minItems: 1 }),
    /** Where it is forbidden; where other places are declared, it is only reported. */
    forbiddenIn: Type.Array(Type.String({ minLength: 2 }), { minItems: 1 }),
    /** How grave it is where no place is declared. */
    severityWhereUndeclared: Type.Enum([...severities]),
    /** Whether a person must hear whether it is what it sounds like. */
    needsHuman: Type.Optional(Type.Boolean()),
  }),
  appliesTo: ["video", "audio"],
  needs: () => ["tones"],
  run({ evidence, parameters, context }) {
    const { tones: wanted, forbiddenIn, severityWhereUndeclared, needsHuman = false } = parameters;
    const places = jurisdictionsOf(context);
    const isForbidden = places.some((place) => forbiddenIn.includes(place));
    const where = list(forbiddenIn.map((place) => (/^(?:US|UK|EU)$/.test(place) ? `the ${place}` : place)));
    const severity = isForbidden ? undefined : places.length === 0 ? severityWhereUndeclared : ("INFO" as const);
    const why = isForbidden
      ? ""
      : places.length === 0
        ? ` No jurisdiction was declared: it is forbidden in ${where}.`
        : ` It is forbidden in ${where}, which is not among the declared jurisdictions (${places.join(", ")}).`;
    const found = (evidence.tones?.tones ?? []).filter(({ kind }) => wanted.includes(kind));
    return alertsOf(found).map((alert): Hit => {
      const { startSeconds, endSeconds } = spanOf(alert);
      const kinds = list([...new Set(alert.map(({ kind }) => tones[kind]))]);
      const loudest = Math.max(...alert.map(({ levelDbfs }) => levelDbfs));
      return {
        summary: `The sound carries ${kinds} from ${seconds(startSeconds)} to ${seconds(endSeconds)}.`,
        headline: `Alert tones for ${seconds(endSeconds - startSeconds)}`,
        reasoning: `Found: ${list(alert.map((each) => `${tones[each.kind]} at ${seconds(each.startSeconds)} for ${seconds(each.endSeconds - each.startSeconds)}`))}, at up to ${level(loudest)} dBFS.${why}`,
        identity: [...new Set(alert.map(({ kind }) => kind))].join(" "),
        ...(severity === undefined ? {} : { severity }),
        needsHuman: needsHuman && severity !== "INFO",
        location: { startSeconds: round(startSeconds), endSeconds: round(endSeconds) },
        recommendation: `Take the tones out between ${seconds(startSeconds)} and ${seconds(endSeconds)} and use an effect that resembles no alert: softer, of another pitch, and never 853 with 960 Hz. Do not play the file on air or near receivers before that.`,
      };
    });
  },
});

function alertsOf(found: readonly Tone[]): Tone[][] {
  const alerts: Tone[][] = [];
  for (const each of found.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
    const last = alerts.at(-1);
    if (last !== undefined && each.startSeconds - spanOf(last).endSeconds <= sameAlertSeconds) last.push(each);
    else alerts.push([each]);
  }
  return alerts;
}

function spanOf(alert: readonly Span[]): Span {
  return {
    startSeconds: Math.min(...alert.map(({ startSeconds }) => startSeconds)),
    endSeconds: Math.max(...alert.map(({ endSeconds }) => endSeconds)),
  };
}
