import { stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { AnalysisError } from "../analysis-error.ts";
import { type Decoder, findDecoder, findNodeAv } from "../evidence/decode/decoder.ts";
import { explainOpenFailure } from "../evidence/decode/open-failure.ts";
import type { Probe } from "../evidence/probe/probe-shape.ts";
import { type JailedProcess, spawnJailed } from "../jail/jail.ts";
import { readLines } from "../jail/lines.ts";
import { explainExit } from "../jail/worker.ts";
import { workerArguments, workerPaths } from "../jail/worker-code.ts";
import { filmArguments } from "./film-ffmpeg.ts";
import { filmPipes, type FilmPlan, planFilm } from "./film-plan.ts";
import { createPeakMeter } from "./peaks.ts";
import type { RenditionFile } from "./rendition.ts";

const maxMediaBytes = 8 * 2 ** 30;
const maxStripBytes = 16 * 2 ** 20;

type Options = {
  file: string;
  contentType: string;
  probe: Probe;
  folder: string;
  makes: { media: boolean; filmstrip: boolean; waveform: boolean };
  onProgress: (fraction: number) => void;
  signal?: AbortSignal | undefined;
  /** For the conformance suite: the one that was found otherwise. */
  decoder?: Decoder | undefined;
};

/** The playable copy, the filmstrip and the waveform, as far as they are wanted, in one decode. */
export async function renderFilm(options: Options): Promise<RenditionFile[]> {
  const found = options.decoder ?? (await findDecoder());
  // Animated WebP is beyond every ffmpeg that systems ship so far.
  const decoder = options.contentType === "image/webp" ? findNodeAv() : found;
  try {
    return await renderWith(decoder, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    const other = findNodeAv();
    // An ffmpeg may have been built without H.264 or AAC; node-av has both.
    if (decoder.kind !== "ffmpeg" || options.decoder !== undefined || other.kind === "none") throw error;
    return renderWith(other, options);
  }
}

async function renderWith(decoder: Decoder, options: Options): Promise<RenditionFile[]> {
  const { makes, probe, contentType, folder } = options;
  const { plan, size, strip } = planFilm(probe, {
    contentType,
    makesMedia: makes.media,
    makesStrip: makes.filmstrip,
    makesPeaks: makes.waveform,
    isUpright: decoder.kind === "ffmpeg",
  });
  if (plan.video === null && plan.audio === null) return [];
  const outputFile = join(folder, "media.mp4");
  await unlink(outputFile).catch(() => undefined);
  const child = await start(decoder, { plan, outputFile, ...options });
  const meter = createPeakMeter();
  const [stripBytes] = await Promise.all([
    readAll(child.pipe(filmPipes.strip), maxStripBytes),
    readSound(child.pipe(filmPipes.peaks), meter.add),
    followProgress(child.pipe(filmPipes.progress), options),
  ]);
  const exit = await child.ended;
  options.signal?.throwIfAborted();
  if (exit.reason !== "exited" || exit.signal !== null) throw explainExit(exit, "film");
  if (exit.code !== 0) throw explainOpenFailure(exit.stderr);

  const made: RenditionFile[] = [];
  if (strip !== null && stripBytes.length > 0) {
    const file = join(folder, "filmstrip.jpg");
    await writeFile(file, stripBytes);
    made.push({ kind: "filmstrip", number: 0, file, contentType: "image/jpeg", detail: strip });
  }
  if (plan.peaks !== null) {
    const file = join(folder, "waveform.json");
    await writeFile(file, JSON.stringify(meter.finish()));
    made.push({ kind: "waveform", number: 0, file, contentType: "application/json", detail: {} });
  }
  if (plan.picture !== null || plan.sound !== null) {
    if ((await stat(outputFile)).size === 0)
      throw new AnalysisError("corrupt_media", "Nothing of the file could be played. Export it again.");
    const isFilm = plan.picture !== null;
    const isToneMapped = isFilm && probe.video !== null && probe.video.colour.transfer !== "sdr";
    const detail = { ...(isFilm && size), ...(isToneMapped && { isToneMapped: 1 }) };
    made.push({ kind: "media", number: 0, file: outputFile, contentType: isFilm ? "video/mp4" : "audio/mp4", detail });
  }
  return made;
}

async function start(
  decoder: Decoder,
  { plan, outputFile, file, probe, signal }: Options & { plan: FilmPlan; outputFile: string },
): Promise<JailedProcess> {
  const seconds = probe.durationSeconds ?? 600;
  const shared = {
    inputFile: file,
    outputFile,
    extraPipes: 2,
    // Others come first on a busy machine, so the clock says little; the processor's time is what is limited.
    timeoutSeconds: 1800 + seconds * 30,
    signal,
  };
  const limits = { cpuSeconds: 600 + seconds * 12, fileBytes: maxMediaBytes };
  if (decoder.kind === "ffmpeg")
    return spawnJailed({
      ...shared,
      program: decoder.programs.ffmpeg,
      visiblePaths: decoder.programs.visiblePaths,
      args: (inputPath) => filmArguments(plan, inputPath),
      limits: { ...limits, addressSpaceBytes: 4 * 2 ** 30 },
    });
  if (decoder.kind === "none")
    throw new AnalysisError("internal_error", "This worker has no decoder for sound and video.");
  return spawnJailed({
    ...shared,
    program: process.execPath,
    visiblePaths: await workerPaths(),
    args: (inputPath) => [
      ...workerArguments({ heapBytes: 96 * 2 ** 20 }),
      fileURLToPath(new URL("./film-node-av-worker.ts", import.meta.url)),
      JSON.stringify({ file: inputPath, plan }),
    ],
    limits: { ...limits, dataBytes: 2 * 2 ** 30, openFiles: 128 },
  });
}

async function readAll(pipe: Readable, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of pipe as AsyncIterable<Buffer>) {
    size += piece.length;
    // Read on, or the child would wait for ever.
    if (size <= maxBytes) pieces.push(piece);
  }
  return size <= maxBytes ? Buffer.concat(pieces) : Buffer.alloc(0);
}

async function readSound(pipe: Readable, add: (bytes: Buffer) => void): Promise<void> {
  for await (const piece of pipe as AsyncIterable<Buffer>) add(piece);
}

async function followProgress(pipe: Readable, { probe, onProgress }: Options): Promise<void> {
  const seconds = probe.durationSeconds ?? 0;
  for await (const line of readLines(pipe, 2 ** 20)) {
    const [, microseconds] = /^out_time_us=(\d+)$/.exec(line) ?? [];
    if (microseconds !== undefined && seconds > 0) onProgress(Math.min(1, Number(microseconds) / 1e6 / seconds));
  }
}
