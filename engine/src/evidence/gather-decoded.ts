import { decode } from "./decode.ts";
import type { DecodeConsumers } from "./decode-outputs.ts";
import type { Consumer, Evidence, EvidenceKey, Frame, FrameFormat, Sound, StreamEnd } from "./evidence.ts";
import { frameGatherers, soundGatherers } from "./gatherers.ts";
import type { MediaType } from "./media-type.ts";
import type { Probe } from "./probe-shape.ts";

const pictureKeys = ["black", "freezes", "flashes", "patterns"] as const;
const soundKeys = ["silences", "loudness", "tones"] as const;

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
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
}): Promise<Partial<Evidence>> {
  const { needs, probe } = options;
  const frames = fanOut<Frame, FrameFormat>(wanted(frameGatherers, needs));
  const sounds = fanOut<Sound, undefined>(wanted(soundGatherers, needs));
  const consumers: DecodeConsumers = {
    black: needs.has("black"),
    freezes: needs.has("freezes"),
    silences: needs.has("silences"),
    loudness: needs.has("loudness"),
    ...(probe.video !== null && frames.isWanted
      ? { smallFrames: (frame: Frame, format: FrameFormat) => frames.accept(frame, format) }
      : {}),
    ...(probe.audio !== null && sounds.isWanted ? { sound: (sound: Sound) => sounds.accept(sound, undefined) } : {}),
  };
  const decoded = await decode({ ...options, contentType: options.mediaType.contentType, consumers });
  return {
    black: decoded.black,
    freezes: decoded.freezes,
    silences: decoded.silences,
    loudness: decoded.loudness,
    ...(await frames.finish(decoded.smallFrames)),
    ...(await sounds.finish(decoded.sound)),
  };
}

type Gatherer<Item, Format> = (format: Format) => Consumer<Item, unknown>;

function wanted<Item, Format>(
  gatherers: Readonly<Record<string, Gatherer<Item, Format> | undefined>>,
  needs: ReadonlySet<string>,
): [string, Gatherer<Item, Format>][] {
  return Object.entries(gatherers).flatMap(([key, gatherer]) =>
    gatherer !== undefined && needs.has(key) ? [[key, gatherer]] : [],
  );
}

/** One stream for several consumers. They are made when the first piece shows how the stream looks. */
function fanOut<Item, Format>(gatherers: [string, Gatherer<Item, Format>][]) {
  let consumers: [string, Consumer<Item, unknown>][] | undefined;
  return {
    isWanted: gatherers.length > 0,
    async accept(item: Item, format: Format): Promise<void> {
      consumers ??= gatherers.map(([key, create]) => [key, create(format)]);
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
