import { decodedKeys, decodeForConsumers } from "../gather-decoded.ts";
import { type GatherOptions, gatherEvidence } from "../gather.ts";
import { pictureGatherers } from "../gatherers.ts";
import type { Evidence } from "../evidence.ts";
import { decode } from "../decode/decode.ts";
import { createHeardConsumer } from "../speech/speech.ts";
import { createLineConsumer } from "../supers/supers.ts";
import { createToneConsumer } from "../tones/tones.ts";
import type { FilmPart, PartEvidence } from "./film-part.ts";

type PartOptions = Omit<GatherOptions, "onPart"> & { part: FilmPart };

/** Instead of what is said about a whole film: what it is made of. */
const table = {
  sound: { tones: createToneConsumer, speech: createHeardConsumer },
  picture: { ...pictureGatherers, supers: createLineConsumer },
};

/** Gathers what is needed of one part of a film; `film` takes its frames and sound. */
export async function gatherPart(options: PartOptions): Promise<PartEvidence> {
  const { part, needs, probe } = options;
  const signal = options.signal ?? new AbortController().signal;
  const apart = new Set([...needs].filter((key) => !decodedKeys.includes(key)));
  const others = part.index === 0 ? await gatherOthers({ ...options, needs: apart }) : {};
  const { decoded, found } = await decodeForConsumers({ ...options, signal, range: part.range }, table);
  const { flashes, patterns, tones, nudity, supers, speech } = found as Partial<PartEvidence>;
  return {
    part,
    others,
    black: decoded.black,
    freezes: decoded.freezes,
    silences: decoded.silences,
    loudness: probe.audio === null ? null : decoded.loudnessSteps,
    flashes: flashes ? withoutStart(flashes, part) : null,
    patterns: patterns ?? null,
    tones: tones ?? null,
    nudity: nudity ?? null,
    supers: supers ?? null,
    speech: speech ?? null,
    pictureEndSeconds: decoded.smallFrames?.durationSeconds ?? null,
    soundEndSeconds: decoded.sound?.durationSeconds ?? null,
  };
}

/** When the first frame is seen and the first sound is heard. Seconds of a film that may last hours are no progress. */
export async function findStarts({
  file,
  mediaType: { contentType },
  probe,
  maxDurationSeconds,
  signal,
}: Pick<PartOptions, "file" | "mediaType" | "probe" | "maxDurationSeconds" | "signal">): Promise<{
  pictureSeconds: number;
  soundSeconds: number;
}> {
  let pictureSeconds: number | undefined;
  const { loudnessSteps } = await decode({
    file,
    contentType,
    probe,
    maxDurationSeconds,
    signal,
    range: { pictureFromSeconds: 0, soundFromSeconds: 0, meterFromSeconds: 0, untilSeconds: 2 },
    consumers: { smallFrames: ({ seconds }) => void (pictureSeconds ??= seconds), loudness: true },
  });
  return { pictureSeconds: pictureSeconds ?? 0, soundSeconds: loudnessSteps?.startSeconds ?? 0 };
}

async function gatherOthers(options: Omit<PartOptions, "part">): Promise<Partial<Evidence>> {
  const { probe: _probe, ...evidence } = await gatherEvidence({ ...options, film: undefined, onProgress: () => {} });
  return Object.fromEntries(Object.entries(evidence).filter(([, value]) => value !== null));
}

/** The curve has a value for every step from the start of the film: those before the part say nothing. */
function withoutStart(
  flashes: NonNullable<Evidence["flashes"]>,
  { range }: FilmPart,
): NonNullable<PartEvidence["flashes"]> {
  const { stepSeconds, luminance, generalPerSecond, redPerSecond } = flashes.curve;
  const curveFromStep = Math.ceil(range.pictureFromSeconds / stepSeconds);
  return {
    ...flashes,
    curveFromStep,
    curve: {
      stepSeconds,
      luminance: luminance.slice(curveFromStep),
      generalPerSecond: generalPerSecond.slice(curveFromStep),
      redPerSecond: redPerSecond.slice(curveFromStep),
    },
  };
}
