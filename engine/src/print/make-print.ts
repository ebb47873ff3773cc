import type { Evidence } from "../evidence/evidence.ts";
import { readImageRows } from "../evidence/images/image.ts";
import type { MediaType } from "../evidence/probe/media-type.ts";
import type { Probe } from "../evidence/probe/probe-shape.ts";
import type { Finding } from "../finding.ts";
import { drawPages } from "./draw-pages.ts";
import type { FilmPrint } from "./film-print.ts";
import { printStill } from "./print-still.ts";
import type { PagePrint, PicturePrint, Print, TimedText } from "./print.ts";
import { hashStreams } from "./stream-hash.ts";

type Source = {
  file: string;
  mediaType: MediaType;
  probe: Probe;
  sha256: string;
  signal?: AbortSignal | undefined;
};

/** The print of an analysed file. What its decode has shown and played is in `film`. */
export async function makePrint(
  options: Source & {
    evidence: Pick<Evidence, "supers" | "speech" | "captions" | "document">;
    findings: readonly Pick<Finding, "fingerprint" | "ruleCode" | "severity" | "summary">[];
    film: Pick<FilmPrint, "made">;
  },
): Promise<Print> {
  const { evidence, findings } = options;
  return {
    ...(await printContent(options)),
    supers: (evidence.supers?.supers ?? []).map(({ text, startSeconds, endSeconds, region }) => ({
      text,
      startSeconds,
      endSeconds,
      region,
    })),
    words: (evidence.speech?.segments ?? []).map(({ text, startSeconds, endSeconds }): TimedText => ({
      text,
      startSeconds,
      endSeconds,
      region: null,
    })),
    captions: (evidence.captions?.tracks ?? []).map(({ cues }) => cues.map(({ text }) => text).join("\n")),
    findings: findings.map(({ fingerprint, ruleCode, severity, summary }) => ({
      fingerprint,
      ruleCode,
      severity,
      summary,
    })),
  };
}

export type ContentPrint = Omit<Print, "supers" | "words" | "captions" | "findings">;

/** What two files are compared by. */
export async function printContent(
  options: Source & { evidence: Pick<Evidence, "document">; film: Pick<FilmPrint, "made"> },
): Promise<ContentPrint> {
  const { file, mediaType, probe, sha256, film, signal, evidence } = options;
  const isPlayed = probe.video !== null || probe.audio !== null;
  const streams = isPlayed ? await hashStreams({ file, contentType: mediaType.contentType, probe, signal }) : null;
  const { picture, sound } = film.made();
  return {
    kind: probe.kind,
    sha256,
    sizeBytes: probe.sizeBytes,
    trackCounts: {
      video: probe.videoStreamCount,
      audio: probe.audioStreamCount,
      captions: probe.subtitleStreams.length,
    },
    streams,
    picture: picture ?? (await printImage(options)),
    sound,
    pages: evidence.document === null ? null : await printPages(options, evidence.document),
  };
}

/** The longer side in which a still picture is looked at. */
const stillSide = 1024;

async function printImage({ file, mediaType, probe, signal }: Source): Promise<PicturePrint | null> {
  if (probe.kind !== "image") return null;
  const { raster } = await readImageRows({ file, mediaType, longSide: stillSide, top: 0, rows: stillSide, signal });
  return printStill(raster);
}

/** The words of each page, and of a PDF also how it looks. */
async function printPages(
  { file, mediaType, signal }: Source,
  document: NonNullable<Evidence["document"]>,
): Promise<PagePrint[]> {
  const drawn =
    mediaType.contentType === "application/pdf"
      ? await drawPages({ file, count: document.pages.length, signal })
      : { pictures: [] };
  return document.pages.map(({ text, blocks }, index) => ({
    text: text === "" ? blocks.map((block) => block.text).join("\n") : text,
    picture: drawn.pictures[index] ?? null,
  }));
}
