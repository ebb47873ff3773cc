import type { Models } from "../../models/models.ts";
import type { FrameFormat, NudityEvidence } from "../evidence.ts";
import type { FileGatherOptions, PictureConsumer } from "../gatherer.ts";
import { hasDetail } from "./picture-detail.ts";
import { readImageRaster } from "../images/image.ts";

const stepSeconds = 2;
/** Below this the classifier is not even guessing. */
const leastScore = 0.5;

/** Looks at one frame every two seconds. Small frames suffice: the classifier sees 224 × 224 pixels. */
export function createNudityConsumer({
  models,
}: {
  models: Pick<Models, "judgePicture">;
}): PictureConsumer<NudityEvidence> {
  const looks: NudityEvidence["looks"] = [];
  let nextSeconds = 0;
  let judging: Promise<void> = Promise.resolve();

  async function judge(seconds: number, picture: { width: number; height: number; pixels: Uint8Array }): Promise<void> {
    if (!hasDetail(picture)) return;
    const { nudity } = await models.judgePicture(picture);
    if (nudity >= leastScore) looks.push({ seconds: round(seconds), score: round(nudity) });
  }

  return {
    async acceptSmall(frame, { width, height }: FrameFormat) {
      const { seconds } = frame;
      if (seconds < nextSeconds) return;
      nextSeconds = (Math.floor(seconds / stepSeconds) + 1) * stepSeconds;
      // One at a time; the frame itself is overwritten by the next one.
      await judging;
      judging = judge(seconds, { width, height, pixels: frame.pixels.slice() });
      // Its failure is met where it is awaited; until then it must not count as unhandled.
      judging.catch(() => undefined);
    },
    async finish() {
      await judging;
      return { looks };
    },
  };
}

/** The same for a picture that does not move. Null when the file is not a picture. */
export async function gatherNudity(options: FileGatherOptions): Promise<NudityEvidence | null> {
  if (options.probe.kind !== "image") return null;
  const picture = await readImageRaster(options);
  if (!hasDetail(picture)) return { looks: [] };
  const { nudity } = await options.models.judgePicture(picture);
  return { looks: nudity < leastScore ? [] : [{ seconds: null, score: round(nudity) }] };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
