import type { Models } from "../models/models.ts";
import { type Decoded, decode } from "./decode/decode.ts";
import type { DecodeRange } from "./decode/decode-graph.ts";
import type { DecodeConsumers } from "./decode/decode-outputs.ts";
import type { Consumer, Evidence, EvidenceKey, FrameFormat, Sound, StreamEnd } from "./evidence.ts";
import { partFreezes } from "./part-freezes.ts";
import type { FileKey, GatherTools, PictureConsumer } from "./gatherer.ts";
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

type GatherDecodedOptions = {
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
};

/** All evidence that comes out of the one decode. */
export async function gatherDecoded(options: GatherDecodedOptions): Promise<Partial<Evidence>> {
  const { needs, probe } = options;
  const { decoded, found } = await decodeForConsumers(options, { sound: soundGatherers, picture: pictureGatherers });
  const evidence: Partial<Evidence> = {
    black: decoded.black,
    freezes: decoded.freezes,
    silences: decoded.silences,
    loudness: needs.has("loudness") ? decoded.loudness : null,
    ...found,
  };
  if (evidence.freezes) {
    const durationSeconds = probe.durationSeconds ?? Infinity;
    evidence.freezes = partFreezes(evidence.freezes, { supers: evidence.supers ?? null, durationSeconds });
  }
  return evidence;
}

type Create<Made> = (tools: GatherTools) => Made;

/** Who makes what of the streams, by key of evidence: of a part of a film others than of a whole one. */
type DecodeTable = {
  sound: Readonly<Record<string, Create<Consumer<Sound, unknown>> | undefined>>;
  picture: Readonly<Record<string, Create<PictureConsumer<unknown>> | undefined>>;
};

/** One decode for all consumers that are needed; `found` has what each of them made, by its key. */
export async function decodeForConsumers(
  options: GatherDecodedOptions & { range?: DecodeRange | undefined },
  table: DecodeTable,
): Promise<{ decoded: Decoded; found: Record<string, unknown> }> {
  const { needs, probe, models, film, range } = options;
  const tools = { models, probe, isPart: range !== undefined };
  const small = fanOut(wanted(frameGatherers, needs), (create, format: FrameFormat) => create(format));
  const sounds = fanOut(wanted(table.sound, needs), (create) => create(tools));
  const pictures = wanted(table.picture, needs).map(([key, create]) => [key, create(tools)] as const);
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
  const found: Record<string, unknown> = {
    ...(await small.finish(decoded.smallFrames)),
    ...(await sounds.finish(decoded.sound)),
  };
  if (probe.video !== null) for (const [key, consumer] of pictures) found[key] = await consumer.finish(ends);
  return { decoded, found };
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
    async finish(end: StreamEnd | null): Promise<Record<string, unknown>> {
      if (end === null || consumers === undefined) return {};
      const found = await Promise.all(
        consumers.map(async ([key, consumer]) => [key, await consumer.finish(end)] as const),
      );
      return Object.fromEntries(found);
    },
  };
}
