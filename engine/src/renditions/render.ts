import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { picturesForWeb } from "../evidence/images/image.ts";
import { sampledSize } from "../evidence/decode/decode-graph.ts";
import { jpegOfMoment } from "../evidence/frames/video-frame.ts";
import type { MediaType } from "../evidence/probe/media-type.ts";
import { probeFile } from "../evidence/probe/probe.ts";
import type { Probe } from "../evidence/probe/probe-shape.ts";
import { givePoster } from "./give-poster.ts";
import type { RenditionFile, RenditionListeners } from "./rendition.ts";
import { renderFilm } from "./render-film.ts";
import { pdfPages, renderPages } from "./render-pages.ts";
import { textPages } from "./text-pages.ts";
import { isWebSafe } from "./web-safe.ts";

export type RenderRequest = {
  file: string;
  mediaType: MediaType;
  /** Of the caller alone; what is made lies there. */
  folder: string;
  /** `media 0`, `page 12`: made by an earlier attempt, and not made again. */
  known: readonly string[];
  maxDurationSeconds?: number;
};

const imageLongSide = 2048;
const posterLongSide = 1280;

/** Makes what browsers need to show a file. Throws an AnalysisError for what cannot be shown. */
export async function render(
  request: RenderRequest,
  { onPlan, onFile, onProgress, signal }: RenditionListeners & { signal?: AbortSignal },
): Promise<void> {
  const { file, mediaType, folder, maxDurationSeconds } = request;
  const has = (kind: RenditionFile["kind"], number = 0) => request.known.includes(`${kind} ${number}`);
  if (mediaType.category === "document") {
    const isPdf = mediaType.contentType === "application/pdf";
    const draw = isPdf ? pdfPages(file, signal) : await textPages({ file, mediaType, folder, signal });
    const onCount = (pageCount: number) =>
      onPlan({ source: "none", durationSeconds: null, framesPerSecond: null, pageCount });
    const onPoster = (poster: RenditionFile) => givePoster(poster, { folder, onFile, signal });
    return renderPages({ draw, folder, has: (page) => has("page", page), onCount, onFile, onPoster, onProgress });
  }
  const probe = await probeFile({ file, mediaType, maxDurationSeconds, signal });
  const isSafe = isWebSafe(probe, mediaType.contentType);
  const { durationSeconds } = probe;
  const framesPerSecond = probe.video?.framesPerSecond ?? null;
  const plan = (isOriginal: boolean) =>
    onPlan({ source: isOriginal ? "original" : "rendition", durationSeconds, framesPerSecond, pageCount: null });
  if (probe.kind === "image" && (probe.video === null || isSafe))
    await renderImage(request, { isSafe, plan, has, onFile, signal });
  else {
    plan(isSafe);
    if (probe.video !== null && !has("poster")) await renderPoster(request, { probe, onFile, signal });
  }
  onProgress(0.1);
  if (probe.video === null && probe.audio === null) return;
  const makes = {
    media: !isSafe && !has("media"),
    filmstrip: probe.video !== null && !has("filmstrip"),
    waveform: probe.audio !== null && !has("waveform"),
  };
  if (!makes.media && !makes.filmstrip && !makes.waveform) return;
  const { contentType } = mediaType;
  const progress = (fraction: number) => onProgress(0.1 + 0.9 * fraction);
  for (const made of await renderFilm({ file, contentType, probe, folder, makes, onProgress: progress, signal }))
    onFile(made);
}

type Tools = { onFile: (rendition: RenditionFile) => void; signal: AbortSignal | undefined };

/** Of a CMYK picture browsers make up the colours: only the converted one is shown. */
async function renderImage(
  { file, mediaType, folder }: RenderRequest,
  options: Tools & {
    isSafe: boolean;
    plan: (isOriginal: boolean) => void;
    has: (kind: RenditionFile["kind"]) => boolean;
  },
): Promise<void> {
  const { has, onFile, signal } = options;
  const { webp, jpegBase64, isCmyk } = await picturesForWeb({
    file,
    mediaType,
    longSide: imageLongSide,
    posterLongSide,
    signal,
  });
  const isOriginal = options.isSafe && !isCmyk;
  options.plan(isOriginal);
  const { width, height } = webp;
  if (!has("poster")) {
    const factor = Math.min(1, posterLongSide / Math.max(width, height));
    const detail = { width: Math.round(width * factor), height: Math.round(height * factor) };
    const poster = await keep(folder, { kind: "poster", name: "poster.jpg", base64: jpegBase64, detail });
    await givePoster(poster, { folder, onFile, signal });
  }
  if (isOriginal || has("media")) return;
  onFile(await keep(folder, { kind: "media", name: "media.webp", base64: webp.base64, detail: { width, height } }));
}

/** A tenth into the film: the first frame is black more often than not. */
async function renderPoster(
  { file, mediaType: { contentType }, folder }: RenderRequest,
  { probe: { video, durationSeconds }, onFile, signal }: Tools & { probe: Probe },
): Promise<void> {
  if (video === null) return;
  const ask = (seconds: number) => jpegOfMoment({ file, contentType, video, seconds, signal });
  const base64 = (await ask((durationSeconds ?? 0) / 10)) ?? (await ask(0));
  if (base64 === null) return;
  const poster = await keep(folder, { kind: "poster", name: "poster.jpg", base64, detail: sampledSize(video) });
  await givePoster(poster, { folder, onFile, signal });
}

async function keep(
  folder: string,
  picture: { kind: "poster" | "media"; name: string; base64: string; detail: Record<string, number> },
): Promise<RenditionFile> {
  const { kind, name, base64, detail } = picture;
  const file = join(folder, name);
  await writeFile(file, Buffer.from(base64, "base64"));
  return { kind, number: 0, file, contentType: name.endsWith(".webp") ? "image/webp" : "image/jpeg", detail };
}
