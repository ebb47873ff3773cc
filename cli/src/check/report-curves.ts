import type { CheckedFile } from "./check-file.ts";
import { escape } from "./escape.ts";
import { clock } from "./places.ts";

type Curve = {
  title: string;
  unit: string;
  stepSeconds: number;
  startSeconds: number;
  values: (number | null)[];
  range: [number, number];
  limit?: number;
  /** Findings that measure in one of these are about the curve. */
  concerns: readonly string[];
};

const ofLoudness = ["LUFS", "LKFS", "dBTP"];
const ofLight = ["flashes a second", "pairs of stripes"];

const width = 720;
const height = 110;
const maxPoints = 720;

/** Loudness, light and flashing over time, with the findings about each marked: a reviewer sees at once where to look. */
export function renderCurves(file: CheckedFile): string {
  const { measurements } = file;
  const curves: Curve[] = [];
  const loudness = measurements?.loudness ?? null;
  if (loudness !== null) {
    curves.push({
      title: `Short-term loudness (integrated ${printed(loudness.integratedLufs)} LUFS, true peak ${printed(loudness.truePeakDbtp)} dBTP)`,
      unit: "LUFS",
      stepSeconds: loudness.curve.stepSeconds,
      startSeconds: loudness.curve.startSeconds,
      values: loudness.curve.shortTermLufs,
      range: [-50, 0],
      concerns: ofLoudness,
    });
  }
  const flashes = measurements?.flashes ?? null;
  if (flashes !== null) {
    const { stepSeconds, luminance, generalPerSecond, redPerSecond } = flashes.curve;
    const most = generalPerSecond.map((value, index) => Math.max(value, redPerSecond[index] ?? 0));
    curves.push(
      {
        title: "Brightness of the picture",
        unit: "cd/m²",
        stepSeconds,
        startSeconds: 0,
        values: luminance,
        range: [0, 200],
        concerns: ofLight,
      },
      {
        title: "Flashes a second",
        unit: "",
        stepSeconds,
        startSeconds: 0,
        values: most,
        range: [0, Math.max(5, ...most)],
        limit: 3,
        concerns: ofLight,
      },
    );
  }
  return curves
    .filter(({ values }) => values.length > 1)
    .map((curve) => renderCurve(curve, file))
    .join("\n");
}

function renderCurve(curve: Curve, { issues, durationSeconds }: CheckedFile): string {
  const { values, stepSeconds, startSeconds, range, limit } = curve;
  const whole = Math.max(durationSeconds ?? 0, startSeconds + values.length * stepSeconds);
  const x = (seconds: number) => Number(((seconds / whole) * width).toFixed(1));
  const y = (value: number) =>
    Number(
      (height - ((Math.min(Math.max(value, range[0]), range[1]) - range[0]) / (range[1] - range[0])) * height).toFixed(
        1,
      ),
    );
  const every = Math.ceil(values.length / maxPoints);
  const points = values.flatMap((value, index) =>
    value === null || index % every !== 0 ? [] : [`${x(startSeconds + (index + 1) * stepSeconds)},${y(value)}`],
  );
  const marks = issues.flatMap(({ location, measurement, severity, severityReasoningHeadline }) => {
    if (location === null || location.startSeconds === null) return [];
    if (!curve.concerns.includes(measurement?.unit ?? "")) return [];
    const from = x(location.startSeconds);
    const wide = Math.max(2, x(location.endSeconds ?? location.startSeconds) - from);
    return [
      `<rect class="${severity}" x="${from}" y="0" width="${wide}" height="${height}"><title>${escape(severityReasoningHeadline)}</title></rect>`,
    ];
  });
  const line =
    limit === undefined ? "" : `<line class="limit" x1="0" x2="${width}" y1="${y(limit)}" y2="${y(limit)}"/>`;
  return `<figure class="curve"><figcaption>${escape(curve.title)}</figcaption>
<svg viewBox="-44 -6 ${width + 52} ${height + 26}" role="img" aria-label="${escape(curve.title)}">
${marks.join("")}<rect class="edge" x="0" y="0" width="${width}" height="${height}"/>${line}
<polyline points="${points.join(" ")}"/>
<text x="-6" y="8" text-anchor="end">${printed(range[1])}</text><text x="-6" y="${height}" text-anchor="end">${printed(range[0])}</text>
<text x="0" y="${height + 16}">0:00</text><text x="${width}" y="${height + 16}" text-anchor="end">${clock(whole)}</text><text x="${width / 2}" y="${height + 16}" text-anchor="middle">${escape(curve.unit)}</text>
</svg></figure>`;
}

/** With the minus sign of print. */
function printed(value: number | null): string {
  return value === null ? "–" : String(value).replace("-", "−");
}
