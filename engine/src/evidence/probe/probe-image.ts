import { fileURLToPath } from "node:url";
import { runWorker } from "../../jail/worker.ts";
import { checkImageSize } from "../images/image-limits.ts";
import type { MediaType } from "./media-type.ts";
import { makeProbe, type Probe, type VideoProbe } from "./probe-shape.ts";

/** What probe-image-worker.ts answers. */
export type ImageHeader = {
  format: string;
  width: number;
  height: number;
  frameCount: number;
  /** Milliseconds each frame is shown; null where the format tells otherwise (GIF and APNG are demuxed for it). */
  delays: number[] | null;
  isDemuxable: boolean;
};

/** A still is read by sharp alone; an animation also gets a `video`, so that what moves is analysed like any film. */
export async function probeImage(options: {
  file: string;
  mediaType: MediaType;
  sizeBytes: number;
  signal?: AbortSignal | undefined;
  probeMotion: () => Promise<Probe>;
}): Promise<Probe> {
  const header = await runWorker<ImageHeader>({
    module: fileURLToPath(new URL("./probe-image-worker.ts", import.meta.url)),
    request: { contentType: options.mediaType.contentType },
    inputFile: options.file,
    what: "picture",
    timeoutSeconds: 60,
    signal: options.signal,
  });
  checkImageSize(header);
  const still = makeProbe({
    kind: "image",
    container: header.format,
    sizeBytes: options.sizeBytes,
    image: { width: header.width, height: header.height, frameCount: header.frameCount, codec: header.format },
  });
  if (header.frameCount < 2) return still;
  if (header.delays !== null) return { ...still, ...describeAnimation(header, header.delays) };
  if (!header.isDemuxable) return still;
  const motion = await options.probeMotion();
  return { ...motion, container: still.container, image: still.image };
}

function describeAnimation(
  header: ImageHeader,
  delays: number[],
): Pick<Probe, "durationSeconds" | "video" | "videoStreamCount"> {
  const durationSeconds = delays.reduce((sum, delay) => sum + delay, 0) / 1000;
  const video: VideoProbe = {
    streamIndex: 0,
    codec: header.format,
    pixelFormat: "rgb24",
    bitDepth: 8,
    width: header.width,
    height: header.height,
    displayWidth: header.width,
    displayHeight: header.height,
    pixelAspect: 1,
    rotationDegrees: 0,
    framesPerSecond: durationSeconds > 0 ? header.frameCount / durationSeconds : null,
    isConstantFrameRate: new Set(delays).size === 1,
    fieldOrder: "progressive",
    durationSeconds,
    colour: { transferName: "iec61966-2-1", primaries: "bt709", matrix: "gbr", range: "full", transfer: "sdr" },
  };
  return { durationSeconds, video, videoStreamCount: 1 };
}
