import type {
  Frame,
  FrameFormat,
  LoudnessEvidence,
  PlanarFormat,
  PlanarFrame,
  Sound,
  Span,
} from "../evidence/evidence.ts";
import { type FilmPart, ownSpan } from "../evidence/parts/film-part.ts";
import type { Probe } from "../evidence/probe/probe-shape.ts";
import { createCells } from "./cells.ts";
import {
  blockColumns,
  blockRows,
  blockValues,
  phaseSeconds,
  type PicturePrint,
  type Shot,
  type SoundPrint,
} from "./print.ts";
import { bandCount, bandStepSeconds, createBands } from "./sound-bands.ts";

const usualStepSeconds = 0.2;
/** Of a film longer than twenty minutes there are fewer samples a second. */
const maxSamples = 6000;
const maxShots = 600;
const shotLongSide = 640;
const [longCells, shortCells] = [128, 72];
const black = 16;

/** How the samples are taken: those of another file, at the same moments and places of it. */
export type Sampling = {
  /** When the print's first frame is seen here; null: with the first frame. */
  startSeconds: number | null;
  stepSeconds: number;
  columns: number;
  rows: number;
};

/** Takes what the one decode hands out, and gives the parts of a print that show and play. */
export function createFilmPrint(
  probe: Probe,
  options: {
    sampling?: Sampling;
    wantsShots: boolean;
    /** Only of this part of the film. */
    part?: FilmPart | undefined;
  },
) {
  const { part } = options;
  const sampling = options.sampling ?? usualSampling(probe);
  const shotSeconds = Math.max(1, (probe.durationSeconds ?? 0) / maxShots);
  const picture = createPicturePrint(probe, {
    sampling: part === undefined ? sampling : { ...sampling, startSeconds: part.pictureStartSeconds },
    shotSeconds,
    own: part === undefined ? wholeFilm : ownSpan(part),
  });
  const bands = createBands();
  let sampleCount = 0;
  let made: FilmContent = { picture: null, sound: null };
  return {
    acceptSmall: (frame: Frame, format: FrameFormat) => picture.acceptSmall(frame, format),
    /** What it needs of text frames where nobody reads them. */
    shotSampling: { everySeconds: shotSeconds, longSide: shotLongSide },
    acceptText: options.wantsShots
      ? (frame: PlanarFrame, format: PlanarFormat) => picture.acceptText(frame, format)
      : null,
    acceptSound(sound: Sound): void {
      sampleCount += sound.samples.length;
      bands.accept(sound);
    },
    end(ends: { pictureSeconds: number | null; soundSeconds: number | null; loudness: LoudnessEvidence | null }): void {
      const { pictureSeconds, soundSeconds, loudness } = ends;
      made = {
        picture: probe.video === null || pictureSeconds === null ? null : picture.finish(pictureSeconds),
        sound:
          probe.audio === null || sampleCount === 0
            ? null
            : soundPrintOf({ bands: ownBands(bands.finish(), part), durationSeconds: soundSeconds ?? 0, loudness }),
      };
    },
    made: () => made,
  };
}

export type FilmPrint = ReturnType<typeof createFilmPrint>;

export type FilmContent = { picture: PicturePrint | null; sound: SoundPrint | null };

function usualSampling({ video, durationSeconds }: Probe): Sampling {
  const isUpright = video !== null && video.displayHeight > video.displayWidth;
  return {
    startSeconds: null,
    stepSeconds: Math.max(usualStepSeconds, Math.ceil(((durationSeconds ?? 0) / maxSamples) * 25) / 25),
    columns: isUpright ? shortCells : longCells,
    rows: isUpright ? longCells : shortCells,
  };
}

const wholeFilm: Span = { startSeconds: -Infinity, endSeconds: Infinity };

/** `own`: of what is seen before and after nothing is kept, but it is what is seen until the next frame comes. */
function createPicturePrint(
  { video }: Probe,
  { sampling, shotSeconds, own }: { sampling: Sampling; shotSeconds: number; own: Span },
) {
  const { columns, rows, stepSeconds } = sampling;
  const samples: Uint8Array[] = [];
  const times: number[] = [];
  const blocks: Uint16Array[] = [];
  const isOwn = (seconds: number) => seconds >= own.startSeconds && seconds < own.endSeconds;
  const shots = createShots(shotSeconds);
  const cells = new Float32Array(columns * rows);
  let measure: ReturnType<typeof createMeasure> | undefined;
  let last: Uint8Array | undefined;
  let startSeconds = sampling.startSeconds;
  const instantOf = (sample: number) => (startSeconds ?? 0) + sample * stepSeconds + phaseSeconds;
  let firstSample = 0;
  while (instantOf(firstSample) < own.startSeconds) firstSample += 1;
  const nextInstant = () => instantOf(firstSample + samples.length);

  function sampleUntil(seconds: number): void {
    while (nextInstant() < Math.min(seconds, own.endSeconds)) {
      if (last === undefined || measure === undefined) samples.push(new Uint8Array(columns * rows).fill(black));
      else {
        measure.grid(last, cells);
        samples.push(roundedBytes(cells));
      }
    }
  }

  return {
    acceptSmall(frame: Frame, format: FrameFormat): void {
      const yuv = frame.planes?.yuv;
      if (yuv === undefined) return;
      measure ??= createMeasure(format, { columns, rows });
      startSeconds ??= frame.seconds;
      sampleUntil(frame.seconds);
      last ??= new Uint8Array(format.width * format.height);
      last.set(yuv.subarray(0, last.length));
      if (!isOwn(frame.seconds)) return;
      times.push(frame.seconds);
      blocks.push(measure.blocks(yuv));
    },
    acceptText(frame: PlanarFrame, format: PlanarFormat): void {
      if (isOwn(frame.seconds)) shots.accept(frame, format);
    },
    finish(endSeconds: number): PicturePrint {
      // Only moments that lie within the film: a last one after its end would show its last frame.
      sampleUntil(endSeconds);
      return {
        displayWidth: video?.displayWidth ?? 0,
        displayHeight: video?.displayHeight ?? 0,
        framesPerSecond: video?.framesPerSecond ?? null,
        durationSeconds: endSeconds,
        columns,
        rows,
        stepSeconds,
        grid: joined(Uint8Array, samples, columns * rows),
        times: Float64Array.from(times),
        blocks: joined(Uint16Array, blocks, blockValues),
        shots: shots.taken,
      };
    },
  };
}

/** `Uint8Array.from(values, Math.round)` takes ten times as long. */
function roundedBytes(values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(values.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = (values[index] as number) + 0.5;
  return bytes;
}

/** Each row of bands is that of a moment: those before and after the part are its neighbours'. */
function ownBands(bands: Uint8Array, part: FilmPart | undefined): Uint8Array {
  if (part === undefined) return bands;
  const at = (seconds: number) => Math.round((seconds - part.range.soundFromSeconds) / bandStepSeconds) * bandCount;
  return bands.slice(at(part.fromSeconds), part.toSeconds === null ? undefined : at(part.toSeconds));
}

/** What the whole film shows and plays, from what its parts do. `loudness` is that of the whole. */
export function joinFilmPrints(parts: readonly FilmContent[], loudness: LoudnessEvidence | null): FilmContent {
  const pictures = parts.flatMap(({ picture }) => picture ?? []);
  const sounds = parts.flatMap(({ sound }) => sound ?? []);
  const [first, last] = [pictures[0], pictures.at(-1)];
  const bands = sounds.map((sound) => sound.bands);
  return {
    picture:
      first === undefined || last === undefined
        ? null
        : {
            ...first,
            durationSeconds: last.durationSeconds,
            grid: concat(Uint8Array, pictures, ({ grid }) => grid),
            times: concat(Float64Array, pictures, ({ times }) => times),
            blocks: concat(Uint16Array, pictures, ({ blocks }) => blocks),
            shots: pictures.flatMap(({ shots }) => shots),
          },
    sound:
      sounds.length === 0
        ? null
        : soundPrintOf({
            bands: concat(Uint8Array, bands, (each) => each),
            durationSeconds: sounds.at(-1)?.durationSeconds ?? 0,
            loudness,
          }),
  };
}

function concat<Item, List extends Uint8Array | Uint16Array | Float64Array>(
  Kind: new (length: number) => List,
  items: readonly Item[],
  listOf: (item: Item) => List,
): List {
  const all = new Kind(items.reduce((sum, item) => sum + listOf(item).length, 0));
  let at = 0;
  for (const item of items) {
    all.set(listOf(item), at);
    at += listOf(item).length;
  }
  return all;
}

function joined<List extends Uint8Array | Uint16Array>(
  Kind: new (length: number) => List,
  parts: readonly List[],
  size: number,
): List {
  const all = new Kind(parts.length * size);
  for (const [index, part] of parts.entries()) all.set(part, index * size);
  return all;
}

function createMeasure({ width, height }: FrameFormat, { columns, rows }: { columns: number; rows: number }) {
  const half = { width: width / 2, height: height / 2, columns: blockColumns, rows: blockRows };
  const bright = createCells({ width, height, columns: blockColumns, rows: blockRows });
  const colour = createCells(half);
  const means = new Float32Array(blockColumns * blockRows);
  const luma = width * height;
  return {
    grid: createCells({ width, height, columns, rows }),
    blocks(yuv: Uint8Array): Uint16Array {
      const values = new Uint16Array(blockValues);
      const planes = [yuv, yuv.subarray(luma, luma * 1.25), yuv.subarray(luma * 1.25)];
      for (const [plane, bytes] of planes.entries()) {
        (plane === 0 ? bright : colour)(bytes, means);
        for (const [index, mean] of means.entries()) values[plane * means.length + index] = Math.round(mean * 64);
      }
      return values;
    },
  };
}

/** A picture for people now and then, where something has changed since the one before. */
function createShots(everySeconds: number) {
  const taken: Shot[] = [];
  let shrink: ReturnType<typeof createCells> | undefined;
  let means = new Float32Array();
  let size = { width: 0, height: 0 };
  let nextSeconds = 0;
  return {
    taken,
    accept({ seconds, yuv }: PlanarFrame, format: PlanarFormat): void {
      if (seconds < nextSeconds) return;
      nextSeconds = seconds + everySeconds - 1e-6;
      if (shrink === undefined) {
        const factor = Math.min(1, shotLongSide / Math.max(format.width, format.height));
        size = {
          width: Math.round((format.width * factor) / 2) * 2,
          height: Math.max(1, Math.round(format.height * factor)),
        };
        shrink = createCells({ ...format, columns: size.width, rows: size.height });
        means = new Float32Array(size.width * size.height);
      }
      shrink(yuv, means);
      const pixels = shadesOf(means);
      const before = taken.at(-1)?.pixels;
      if (before === undefined || differ(before, pixels)) taken.push({ seconds, ...size, pixels });
    },
  };
}

/** 16 shades, two pixels a byte. */
export function shadesOf(means: Float32Array): Uint8Array {
  const pixels = new Uint8Array(Math.ceil(means.length / 2));
  const shade = (mean: number) => {
    const exact = ((mean - black) / 219) * 15;
    return exact < 0 ? 0 : exact > 15 ? 15 : (exact + 0.5) | 0;
  };
  for (let index = 0; index < pixels.length; index++)
    pixels[index] = (shade(means[2 * index] as number) << 4) | shade(means[2 * index + 1] ?? black);
  return pixels;
}

function differ(a: Uint8Array, b: Uint8Array): boolean {
  let count = 0;
  for (let index = 0; index < a.length; index++) {
    const [x, y] = [a[index] as number, b[index] as number];
    if (x !== y && (Math.abs((x >> 4) - (y >> 4)) > 1 || Math.abs((x & 15) - (y & 15)) > 1)) count += 1;
  }
  return count > a.length / 2000;
}

function soundPrintOf(options: {
  bands: Uint8Array;
  durationSeconds: number;
  loudness: LoudnessEvidence | null;
}): SoundPrint {
  const { bands, durationSeconds, loudness } = options;
  const curve = loudness?.curve.momentaryLufs ?? [];
  const perSecond = Math.round(1 / (loudness?.curve.stepSeconds ?? 0.1));
  return {
    durationSeconds,
    integratedLufs: loudness?.integratedLufs ?? null,
    truePeakDbtp: loudness?.truePeakDbtp ?? null,
    lufs: curve.filter((_, index) => index % perSecond === perSecond - 1),
    bands,
  };
}
