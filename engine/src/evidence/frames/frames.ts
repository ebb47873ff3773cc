import { type Finding, severities } from "../../finding.ts";
import { jpegOfImage } from "../images/image.ts";
import type { MediaType } from "../probe/media-type.ts";
import type { Probe } from "../probe/probe-shape.ts";
import { jpegOfPage } from "../documents/render-page.ts";
import { jpegOfMoment } from "./video-frame.ts";

/** What the picture looked like where findings are. `findings`: their places in the list of findings. */
export type EvidenceFrame = { seconds: number | null; page: number | null; jpegBase64: string; findings: number[] };

/** A frame that could not be made, and why. */
export type MissingFrame = { seconds: number | null; page: number | null; reason: string };

export const frameLongSide = 1280;
const maxFrames = 40;
const atOnce = 2;
const budgetMs = 60_000;

type Options = {
  file: string;
  mediaType: MediaType;
  probe: Probe;
  findings: readonly Pick<Finding, "severity" | "location">[];
  signal?: AbortSignal | undefined;
};

/**
 * One JPEG for each moment or page that findings point at, the most severe first: at most 40, for at most a minute. A
 * finding stands without its frame; why it has none is in `missing`.
 */
export async function takeFrames(options: Options): Promise<{ frames: EvidenceFrame[]; missing: MissingFrame[] }> {
  const deadline = performance.now() + budgetMs;
  const wanted = planFrames(options);
  const taken: (EvidenceFrame | MissingFrame)[] = [];
  for (let first = 0; first < wanted.length && performance.now() < deadline; first += atOnce) {
    taken.push(...(await Promise.all(wanted.slice(first, first + atOnce).map((moment) => take(options, moment)))));
  }
  const late = wanted
    .slice(taken.length)
    .map((moment) => missing(moment, `there was no time left of ${budgetMs / 1000} s`));
  return {
    frames: taken.filter((frame) => "jpegBase64" in frame),
    missing: [...taken.filter((frame) => "reason" in frame), ...late],
  };
}

type Moment = Omit<EvidenceFrame, "jpegBase64">;

export function planFrames(options: Pick<Options, "mediaType" | "probe" | "findings">): Moment[] {
  const order = options.findings
    .map(({ severity }, index) => ({ index, rank: severities.indexOf(severity) }))
    .toSorted((a, b) => a.rank - b.rank);
  const moments = new Map<string, Moment>();
  for (const { index } of order) {
    const place = placeOf(options.findings[index]?.location ?? null, options);
    if (place === null) continue;
    const key = `${place.page} ${place.seconds}`;
    const known = moments.get(key);
    if (known !== undefined) known.findings.push(index);
    else if (moments.size < maxFrames) moments.set(key, { ...place, findings: [index] });
  }
  return [...moments.values()];
}

function placeOf(
  location: Finding["location"],
  { probe, mediaType }: Pick<Options, "mediaType" | "probe">,
): { seconds: number | null; page: number | null } | null {
  if (location === null) return null;
  const { startSeconds, page } = location;
  if (probe.video !== null && startSeconds !== null) return { seconds: middleOf(location, probe), page: null };
  if (probe.kind === "image") return { seconds: null, page: null };
  return mediaType.contentType === "application/pdf" && page !== null ? { seconds: null, page } : null;
}

/** The middle: text has faded in there and not yet out. Never past the last frame, where there is nothing to see. */
function middleOf({ startSeconds, endSeconds }: NonNullable<Finding["location"]>, probe: Probe): number {
  const start = startSeconds ?? 0;
  const frameSeconds = 1 / (probe.video?.framesPerSecond ?? 25);
  const ends = [probe.truncatedAtSeconds, probe.video?.durationSeconds, probe.durationSeconds];
  const last = Math.min(...ends.map((end) => end ?? Infinity)) - 1.5 * frameSeconds;
  const middle = Math.min((start + Math.max(start, endSeconds ?? start)) / 2, last);
  // By frames, so that findings of the same moment share one.
  return Math.max(0, Math.round(Math.floor(middle / frameSeconds + 1e-6) * frameSeconds * 1e4) / 1e4);
}

function missing({ seconds, page }: Moment, reason: string): MissingFrame {
  return { seconds, page, reason };
}

async function take(options: Options, moment: Moment): Promise<EvidenceFrame | MissingFrame> {
  const { file, mediaType, probe, signal } = options;
  const { seconds, page } = moment;
  try {
    const jpegBase64 =
      seconds !== null && probe.video !== null
        ? await jpegOfMoment({ file, contentType: mediaType.contentType, video: probe.video, seconds, signal })
        : page !== null
          ? await jpegOfPage({ file, page, longSide: frameLongSide, signal })
          : await jpegOfImage({ file, mediaType, longSide: frameLongSide, signal });
    return jpegBase64 === null ? missing(moment, "nothing is shown there") : { ...moment, jpegBase64 };
  } catch (error) {
    signal?.throwIfAborted();
    return missing(moment, error instanceof Error ? error.message : String(error));
  }
}
