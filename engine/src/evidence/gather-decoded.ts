import type { Models } from "../models/models.ts";
import { decode } from "./decode/decode.ts";
import type { DecodeConsumers } from "./decode/decode-outputs.ts";
import type { Consumer, Evidence, EvidenceKey, FrameFormat, StreamEnd } from "./evidence.ts";
import { partFreezes } from "./part-freezes.ts";
import type { FileKey } from "./gatherer.ts";
import { frameGatherers, pictureGatherers, soundGatherers } from "./gatherers.ts";
import type { FilmPrint } from "../print/film-print.ts";
import type { MediaType } from "./probe/media-type.ts";
import type { Probe } from "./probe/probe-shape.ts";

const pictureKeys = ["black", "freezes", ...keysOf(frameGatherers), ...keysOf(pictureGatherers)] as const;
const soundKeys = ["silences", "loudness", ...keysOf(soundGatherers)] as const;

/** A key that nobody gathers does not compile: its rules would find nothing in any file, and that would look clean. */
type Gathered = "probe" | (typeof pictureKeys)[number] | (typeof soundKeys)[number] | FileKey;
type Forgotten = Exclude<EvidenceKey, Gathered>;
true satisfies [Forgotten] extends [never] ? true : Forgotten;

/** What the one decode gathers. */
export const decodedKeys: readonly EvidenceKey[] = [...pictureKeys, ...soundKeys];

export function needsDecoding(needs: ReadonlySet<EvidenceKey>, probe: Probe): boolean {
  const wantsPicture = probe.video !== null && pictureKeys.some((key) => needs.has(key));
  return wantsPicture || (probe.audio !== null && soundKeys.some((key) => needs.has(key)));
}

/** All evidence that comes out of the one decode. */
export async function gatherDecoded(options: {
  file: string;
  mediaType: MediaType;
  probe: Probe;
  needs: ReadonlySet<EvidenceKey>;
  maxDurationSeconds: number;
  models: Models;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
  /** Takes the same frames and sound. */
  film?: FilmPrint | undefined;
}): Promise<Partial<Evidence>> {
  const { needs, probe, models, film } = options;
  const tools = { models, probe };
  const small = fanOut(wanted(frameGatherers, needs), (create, format: FrameFormat) => create(format));
  const sounds = fanOut(wanted(soundGatherers, needs), (create) => create(tools));
  const pictures = wanted(pictureGatherers, needs).map(([key, create]) => [key, create(tools)] as const);
  const smallTakers = pictures.flatMap(([, { acceptSmall }]) => acceptSmall ?? []);
  const textTakers = pictures.flatMap(([, { acceptText }]) => acceptText ?? []);
  if (film !== undefined) smallTakers.push(film.acceptSmall);
  const isRead = textTakers.length > 0;
  if (film?.acceptText) textTakers.push(film.acceptText);
  const consumers: DecodeConsumers = {
    black: needs.has("black"),
    freezes: needs.has("freezes"),
    silences: needs.has("silences"),
    loudness: needs.has("loudness") || film !== undefined,
  };
  if (probe.video !== null && (small.isWanted || smallTakers.length > 0)) {
    consumers.smallFrames = async (frame, format) => {
      await small.accept(frame, format);
      for (const take of smallTakers) await take(frame, format);
    };
  }
  if (probe.video !== null && textTakers.length > 0) {
    if (film !== undefined && !isRead) consumers.textSampling = film.shotSampling;
    consumers.textFrames = async (frame, format) => {
      for (const take of textTakers) await take(frame, format);
    };
  }
  if (probe.audio !== null && (sounds.isWanted || film !== undefined)) {
    consumers.sound = async (sound) => {
      film?.acceptSound(sound);
      await sounds.accept(sound, undefined);
    };
  }

  const decoded = await decode({ ...options, contentType: options.mediaType.contentType, consumers });
  film?.end({
    pictureSeconds: decoded.smallFrames?.durationSeconds ?? null,
    soundSeconds: decoded.sound?.durationSeconds ?? null,
    loudness: decoded.loudness,
  });
  const ends = { small: decoded.smallFrames, text: decoded.textFrames };
  const found: Partial<Evidence> = {
    black: decoded.black,
    freezes: decoded.freezes,
    silences: decoded.silences,
    loudness: needs.has("loudness") ? decoded.loudness : null,
    ...(await small.finish(decoded.smallFrames)),
    ...(await sounds.finish(decoded.sound)),
  };
  if (probe.video !== null) {
    for (const [key, consumer] of pictures) Object.assign(found, { [key]: await consumer.finish(ends) });
  }
  if (found.freezes) {
    const durationSeconds = probe.durationSeconds ?? Infinity;
    found.freezes = partFreezes(found.freezes, { supers: found.supers ?? null, durationSeconds });
  }
  return found;
}

function keysOf<Key extends string>(gatherers: { readonly [K in Key]?: unknown }): Key[] {
  return Object.keys(gatherers) as Key[];
}

/** The gatherers of what is needed. */
function wanted<Gatherer>(
  gatherers: Readonly<Record<string, Gatherer | undefined>>,
  needs: ReadonlySet<string>,
): [string, Gatherer][] {
  return Object.entries(gatherers).flatMap(([key, gatherer]) =>
    gatherer !== undefined && needs.has(key) ? [[key, gatherer]] : [],
  );
}

/** One stream for several consumers. They are made when the first piece shows how the stream looks. */
function fanOut<Item, Format, Gatherer>(
  gatherers: [string, Gatherer][],
  create: (gatherer: Gatherer, format: Format) => Consumer<Item, unknown>,
) {
  let consumers: [string, Consumer<Item, unknown>][] | undefined;
  return {
    isWanted: gatherers.length > 0,
    async accept(item: Item, format: Format): Promise<void> {
      consumers ??= gatherers.map(([key, gatherer]) => [key, create(gatherer, format)]);
      for (const [, consumer] of consumers) await consumer.accept(item);
    },
    async finish(end: StreamEnd | null): Promise<Partial<Evidence>> {
      if (end === null || consumers === undefined) return {};
      const found = await Promise.all(
        consumers.map(async ([key, consumer]) => [key, await consumer.finish(end)] as const),
      );
      return Object.fromEntries(found);
    },
  };
}
