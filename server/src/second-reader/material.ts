import type { EvidenceFrame } from "@greenlit/engine/evidence/frames/frames.ts";
import { severities, type Finding } from "@greenlit/engine/finding.ts";
import type { Measurements } from "@greenlit/engine/measurements.ts";
import type { Context } from "@greenlit/engine/sidekick.ts";
import type { SecondReaderMode } from "../db/tables.ts";

const maxFindings = 20;
const maxCharacters = 24_000;
const maxImages = 4;

type Words = { source: "screen" | "speech" | "caption" | "document"; text: string };

export type Material = {
  /** What is asked about, the gravest first. */
  findings: Finding[];
  /** All words of the asset, also those that were too many to send. */
  words: string;
  /** The message of the user. */
  message: string;
  /** JPEG in base64; none unless the workspace allows media. */
  images: string[];
};

/** What the model is told of an asset; undefined where there is nothing to read. The file's name is not among it. */
export function makeMaterial(options: {
  mode: SecondReaderMode;
  findings: readonly Finding[];
  measurements: Partial<Measurements>;
  frames: readonly EvidenceFrame[];
  context: Context;
}): Material | undefined {
  const { mode, measurements, frames, context } = options;
  const words = wordsOf(measurements);
  const findings = options.findings
    .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
    .slice(0, maxFindings);
  if (words.length === 0 && findings.length === 0) return undefined;
  const { text, isCut } = cut(words);
  const message = JSON.stringify({
    context,
    findings: findings.map(
      ({ ruleSummary, summary, severity, severityReasoning, recommendation, location }, index) => ({
        finding: index + 1,
        rule: ruleSummary,
        severity,
        summary,
        why: severityReasoning,
        recommendation,
        quote: location?.quote ?? null,
      }),
    ),
    text,
    isTextCut: isCut,
  });
  const images = mode === "media" ? frames.slice(0, maxImages).map(({ jpegBase64 }) => jpegBase64) : [];
  return { findings, words: words.map((each) => each.text).join("\n"), message, images };
}

function wordsOf({ supers, speech, captions, pages }: Partial<Measurements>): Words[] {
  const found: Words[] = [
    ...(supers ?? []).map(({ text }) => ({ source: "screen" as const, text })),
    ...(speech?.segments ?? []).map(({ text }) => ({ source: "speech" as const, text })),
    ...(captions ?? []).flatMap(({ cues }) => cues.map(({ text }) => ({ source: "caption" as const, text }))),
    // A caption file is cues and, without their times, a document as well.
    ...(captions ? [] : (pages ?? []).map(({ text }) => ({ source: "document" as const, text }))),
  ];
  return found.filter(({ text }) => text.trim() !== "");
}

function cut(words: readonly Words[]): { text: Words[]; isCut: boolean } {
  let left = maxCharacters;
  const text: Words[] = [];
  for (const each of words) {
    if (left <= 0) return { text, isCut: true };
    text.push({ ...each, text: each.text.slice(0, left) });
    left -= each.text.length;
  }
  return { text, isCut: left < 0 };
}
