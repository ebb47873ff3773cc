import type { AudioProbe, Probe, VideoProbe } from "../evidence/probe/probe-shape.ts";

const imageTypes = new Set(["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif"]);
/** More is slow to load for somebody who only wants to look. */
const maxImageSide = 4096;
const maxImageBytes = 8 * 2 ** 20;

type Codecs = { video: readonly string[]; audio: readonly string[] };

const pcm = ["pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le"];

/** What Chromium, Firefox and Safari all play, by declared type. */
const codecsOf: Readonly<Record<string, Codecs>> = {
  "video/mp4": { video: ["h264"], audio: ["aac", "mp3"] },
  "video/webm": { video: ["vp8", "vp9"], audio: ["opus", "vorbis"] },
  "audio/mpeg": { video: [], audio: ["mp3"] },
  "audio/mp4": { video: [], audio: ["aac"] },
  "audio/x-m4a": { video: [], audio: ["aac"] },
  "audio/wav": { video: [], audio: pcm },
  "audio/x-wav": { video: [], audio: pcm },
  "audio/flac": { video: [], audio: ["flac"] },
  "audio/webm": { video: [], audio: ["opus", "vorbis"] },
};

/** Whether browsers show the file as it is. */
export function isWebSafe(probe: Probe, contentType: string): boolean {
  if (probe.kind === "image") return isWebImage(probe, contentType);
  const codecs = codecsOf[contentType];
  if (codecs === undefined || probe.truncatedAtSeconds !== null) return false;
  if (probe.video === null && probe.audio === null) return false;
  return isWebVideo(probe.video, codecs) && isWebSound(probe.audio, codecs);
}

function isWebImage({ image, sizeBytes }: Probe, contentType: string): boolean {
  if (image === null || !imageTypes.has(contentType)) return false;
  return sizeBytes <= maxImageBytes && Math.max(image.width, image.height) <= maxImageSide;
}

/** Eight bits, 4:2:0 and progressive: of the rest browsers play only some, and comb what is interlaced. */
function isWebVideo(video: VideoProbe | null, { video: codecs }: Codecs): boolean {
  if (video === null) return true;
  return (
    codecs.includes(video.codec) &&
    (video.pixelFormat === "yuv420p" || video.pixelFormat === "yuvj420p") &&
    video.fieldOrder !== "interlaced"
  );
}

function isWebSound(audio: AudioProbe | null, { audio: codecs }: Codecs): boolean {
  return audio === null || codecs.includes(audio.codec);
}
