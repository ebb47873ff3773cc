import { analyze } from "../analyze.ts";
import { jpegOfImage } from "../evidence/images/image.ts";
import { jpegOfMoment } from "../evidence/frames/video-frame.ts";
import { jpegOfPage } from "../evidence/documents/render-page.ts";
import type { Region } from "../evidence/evidence.ts";
import { probeFile } from "../evidence/probe/probe.ts";
import type { Probe } from "../evidence/probe/probe-shape.ts";
import { defaultMaxDurationSeconds } from "../evidence/probe/too-long.ts";
import type { Models } from "../models/models.ts";
import type { Context, Sidekick } from "../sidekick.ts";
import type { Comparison, Difference } from "./compare/comparison.ts";
import { compareFile } from "./compare-file.ts";
import { unpackPrint } from "./pack-print.ts";
import { pngOfShades } from "./png.ts";
import type { PrintedFile } from "./print-file.ts";
import type { FindingPrint, Print, TimedText } from "./print.ts";

/** What is read or heard there, before and after; empty where nothing is. */
export type ExplainedDifference = Difference & { before: string; after: string };

export type ContentVerification = Omit<Comparison, "differences" | "figures"> & {
  differences: ExplainedDifference[];
  /** What the rules find in this file and did not find in the cleared one, and the other way round. */
  newFindings: FindingPrint[];
  goneFindings: FindingPrint[];
  pictures: DifferencePicture[];
};

/** How it looked when it was cleared (PNG), and how it looks now (JPEG). `difference`: its place in the list. */
export type DifferencePicture = { difference: number; beforePng: string | null; afterJpeg: string | null };

const maxPictures = 6;

/**
 * Compares a file with the print of what was cleared. Where they differ, the file is analysed as well, to say which
 * words and findings changed, and shown. `known`: the print of a file that was analysed before.
 */
export async function verifyContent(
  master: Print,
  options: PrintedFile & {
    models: Models;
    sidekicks: readonly Sidekick[];
    context: Context;
    known?: Print | undefined;
    signal?: AbortSignal | undefined;
  },
): Promise<ContentVerification> {
  const { figures: _, ...compared } = await compareFile(master, options);
  const nothing = { newFindings: [], goneFindings: [], pictures: [] };
  if (compared.match !== "ALTERED")
    return {
      ...compared,
      differences: compared.differences.map((one) => ({ ...one, before: "", after: "" })),
      ...nothing,
    };
  const other = options.known ?? (await analyzeFile(options));
  const known = new Set(master.findings.map(({ fingerprint }) => fingerprint));
  const found = new Set(other.findings.map(({ fingerprint }) => fingerprint));
  return {
    ...compared,
    differences: compared.differences.map((one) =>
      explain(one, { master, other, offsetSeconds: compared.offsetSeconds }),
    ),
    newFindings: other.findings.filter(({ fingerprint }) => !known.has(fingerprint)),
    goneFindings: master.findings.filter(({ fingerprint }) => !found.has(fingerprint)),
    pictures: await takePictures(master, compared, options),
  };
}

async function analyzeFile(
  options: PrintedFile & {
    models: Models;
    sidekicks: readonly Sidekick[];
    context: Context;
    signal?: AbortSignal | undefined;
  },
): Promise<Print> {
  const { file, mediaType, sha256, sidekicks, context, models, signal } = options;
  const request = { file, mediaType, sidekicks, context, wantsEvidence: true, wantsPrint: { sha256 } };
  const { print } = await analyze(request, { models, signal });
  return unpackPrint(Buffer.from(print ?? "", "base64"));
}

function explain(
  difference: Difference,
  { master, other, offsetSeconds }: { master: Print; other: Print; offsetSeconds: number },
): ExplainedDifference {
  const isHeard = difference.kind === "sound";
  const { startSeconds, endSeconds, region } = difference;
  if (!isHeard && difference.kind !== "picture") return { ...difference, before: "", after: "" };
  const pick = (texts: readonly TimedText[], shift: number) =>
    texts
      .filter((text) => overlaps(text, { startSeconds, endSeconds, region, shift }))
      .map(({ text }) => text)
      .join(" / ")
      .slice(0, 500);
  const textsOf = (print: Print) => (isHeard ? print.words : print.supers);
  return { ...difference, before: pick(textsOf(master), 0), after: pick(textsOf(other), offsetSeconds) };
}

function overlaps(
  text: TimedText,
  place: { startSeconds: number | null; endSeconds: number | null; region: Region | null; shift: number },
): boolean {
  const { startSeconds, endSeconds, region, shift } = place;
  if (text.startSeconds !== null && startSeconds !== null && text.startSeconds - shift > (endSeconds ?? startSeconds))
    return false;
  if (text.endSeconds !== null && startSeconds !== null && text.endSeconds - shift < startSeconds) return false;
  if (region === null || text.region === null) return true;
  const { x, y, width, height } = text.region;
  return x < region.x + region.width && x + width > region.x && y < region.y + region.height && y + height > region.y;
}

async function takePictures(
  master: Print,
  { differences, offsetSeconds }: Pick<Comparison, "differences" | "offsetSeconds">,
  options: PrintedFile & { signal?: AbortSignal | undefined },
): Promise<DifferencePicture[]> {
  const { file, mediaType, signal } = options;
  const probe = await probeFile({ file, mediaType, maxDurationSeconds: defaultMaxDurationSeconds, signal });
  const shown = differences
    .map((difference, place) => ({ difference, place }))
    .filter(
      ({ difference: { kind, startSeconds, page } }) =>
        (kind === "picture" || kind === "frames") && (startSeconds !== null || page !== null || probe.kind === "image"),
    )
    .slice(0, maxPictures);
  const pictures: DifferencePicture[] = [];
  for (const { difference, place } of shown) {
    const seconds =
      difference.startSeconds === null
        ? null
        : (difference.startSeconds + (difference.endSeconds ?? difference.startSeconds)) / 2;
    pictures.push({
      difference: place,
      beforePng: beforeOf(master, seconds)?.toString("base64") ?? null,
      afterJpeg: await afterOf(probe, {
        ...options,
        seconds: seconds === null ? null : seconds + offsetSeconds,
        page: difference.page,
      }),
    });
  }
  return pictures;
}

function beforeOf({ picture }: Print, seconds: number | null): Buffer | null {
  const shot = picture?.shots.findLast((one) => one.seconds <= (seconds ?? 0) + 0.04) ?? picture?.shots[0];
  return shot === undefined ? null : pngOfShades(shot);
}

async function afterOf(
  probe: Probe,
  options: PrintedFile & { seconds: number | null; page: number | null; signal?: AbortSignal | undefined },
): Promise<string | null> {
  const { file, mediaType, seconds, page, signal } = options;
  const longSide = 640;
  try {
    if (probe.video !== null && seconds !== null)
      return await jpegOfMoment({
        file,
        contentType: mediaType.contentType,
        video: probe.video,
        seconds: Math.max(0, seconds),
        signal,
      });
    if (page !== null) return await jpegOfPage({ file, page, longSide, signal });
    return probe.kind === "image" ? await jpegOfImage({ file, mediaType, longSide, signal }) : null;
  } catch {
    signal?.throwIfAborted();
    // The difference stands without its picture.
    return null;
  }
}
