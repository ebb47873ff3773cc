import { ffmpegInput } from "../evidence/decode/decode-ffmpeg.ts";
import { outputPathInside } from "../jail/jail-command.ts";
import { filmPipes, type FilmPlan, keyFrameSeconds } from "./film-plan.ts";

/** How the system's ffmpeg is started for a plan. */
export function filmArguments(plan: FilmPlan, inputPath: string): string[] {
  const { contentType, picture, sound, strip, peaks } = plan;
  // Told not to turn the picture, ffmpeg would write the turn into the copy, and a player would make it again.
  const input = ffmpegInput({ contentType, inputPath, threads: 2 }).filter((word) => word !== "-noautorotate");
  // Before the input: it is told to the decoder.
  if (plan.video?.isKeyFramesOnly === true) input.splice(input.indexOf("-i"), 0, "-skip_frame", "nokey");
  const media = picture !== null || sound !== null ? mediaOutput(plan) : [];
  return [
    ...input,
    "-progress",
    `pipe:${filmPipes.progress}`,
    "-filter_threads",
    "1",
    "-filter_complex_threads",
    "1",
    "-filter_complex",
    graphOf(plan),
    ...media,
    ...(strip === null
      ? []
      : ["-map", "[strip]", "-frames:v", "1", "-c:v", "mjpeg", "-q:v", "5", "-f", "mjpeg", `pipe:${filmPipes.strip}`]),
    ...(peaks === null ? [] : ["-map", "[peaks]", "-f", "s16le", `pipe:${filmPipes.peaks}`]),
  ];
}

/** `-fps_mode` and the time bases: each frame keeps its own time, where two of a variable rate would meet otherwise. */
const pictureOutput =
  "-c:v libx264 -preset superfast -crf 23 -threads:v 2 -sc_threshold 0 -g 600 " +
  `-force_key_frames expr:gte(t,n_forced*${keyFrameSeconds}) ` +
  "-fps_mode vfr -enc_time_base 1:90000 -video_track_timescale 90000 " +
  "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";
const soundOutput = "-c:a aac -b:a 128k";
const container = "-map_metadata -1 -map_chapters -1 -max_muxing_queue_size 4096 -movflags +faststart -y -f mp4";

function mediaOutput({ picture, sound }: FilmPlan): string[] {
  return [
    ...(picture === null ? [] : ["-map", "[picture]", ...pictureOutput.split(" ")]),
    ...(sound === null ? [] : ["-map", "[sound]", ...soundOutput.split(" ")]),
    ...container.split(" "),
    `file:${outputPathInside}`,
  ];
}

function graphOf({ video, audio, picture, sound, strip, peaks }: FilmPlan): string {
  return [
    ...branches(video?.streamIndex, "split", { picture, strip }),
    ...branches(audio?.streamIndex, "asplit", { sound, peaks }),
  ].join(";");
}

function branches(streamIndex: number | undefined, split: string, chains: Record<string, string | null>): string[] {
  const wanted = Object.entries(chains).filter(([, filters]) => filters !== null);
  if (streamIndex === undefined || wanted.length === 0) return [];
  const pads = wanted.map(([name]) => `[${name}-in]`).join("");
  return [
    `[0:${streamIndex}]${split}=${wanted.length}${pads}`,
    ...wanted.map(([name, filters]) => `[${name}-in]${filters}[${name}]`),
  ];
}
