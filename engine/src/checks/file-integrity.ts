import type { AudioProbe, Probe, VideoProbe } from "../evidence/probe-shape.ts";
import { defineCheck, type RawFinding } from "../sidekick.ts";

const minimumLines = 480;

/** Plain arithmetic on what the file says about itself. */
export const checkFileIntegrity = defineCheck({
  needs: ["probe"],
  appliesTo: ["video", "audio", "image", "document"],
  run({ probe }) {
    const { video, audio, kind } = probe;
    const isFilm = kind === "video" && video !== null;
    return [
      ...truncated(probe),
      ...(isFilm && audio !== null ? durationMismatch(probe, video, audio) : []),
      ...(isFilm && audio === null ? [noAudio(probe)] : []),
      ...(isFilm ? [...variableFrameRate(video), ...lowResolution(video), ...unknownColour(video)] : []),
      ...(kind === "document" && probe.pages === 0 ? [emptyDocument()] : []),
    ];
  },
});

function truncated(probe: Probe): RawFinding[] {
  const { truncatedAtSeconds: end, containerDurationSeconds: announced } = probe;
  if (end === null || announced === null) return [];
  return [
    {
      ruleCode: "FILE-TRUNCATED",
      summary: `The file stops at ${seconds(end)} of ${seconds(announced)}.`,
      severityReasoningHeadline: `${seconds(announced - end)} are missing`,
      severityReasoning: `Its index announces ${seconds(announced)}, but the last readable packet ends at ${seconds(end)}: ${seconds(announced - end)} (${Math.round((100 * (announced - end)) / announced)} %) cannot be played or analysed.`,
      sameness: "",
      location: { startSeconds: end, endSeconds: announced },
      measurement: { value: round(end), limit: round(announced), unit: "s" },
    },
  ];
}

function durationMismatch(probe: Probe, video: VideoProbe, audio: AudioProbe): RawFinding[] {
  const [picture, sound] = [video.durationSeconds, audio.durationSeconds];
  if (picture === null || sound === null || probe.truncatedAtSeconds !== null) return [];
  const difference = Math.abs(picture - sound);
  // Encoders pad sound to whole packets, and live recorders stop the two a moment apart.
  const tolerance = Math.max(0.5, Math.max(picture, sound) * 0.01);
  if (difference <= tolerance) return [];
  const shorter = picture < sound ? "picture" : "sound";
  return [
    {
      ruleCode: "FILE-DURATION-MISMATCH",
      summary: `The ${shorter} ends ${seconds(difference)} before the ${shorter === "picture" ? "sound" : "picture"}.`,
      severityReasoningHeadline: `${seconds(difference)} apart; up to ${seconds(tolerance)} is usual`,
      severityReasoning: `The picture lasts ${seconds(picture)} and the sound ${seconds(sound)}: ${seconds(difference)} apart, where ${seconds(tolerance)} (the larger of 0.5 s and 1 % of the length) is usual.`,
      sameness: shorter,
      location: { startSeconds: Math.min(picture, sound), endSeconds: Math.max(picture, sound) },
      measurement: { value: round(difference), limit: round(tolerance), unit: "s" },
    },
  ];
}

function noAudio(probe: Probe): RawFinding {
  return {
    ruleCode: "FILE-NO-AUDIO",
    summary: "The video has no sound stream.",
    severityReasoningHeadline: "No sound to analyse",
    severityReasoning: `The ${probe.container} file holds ${probe.videoStreamCount === 1 ? "one picture stream" : `${probe.videoStreamCount} picture streams`} and no sound stream, so loudness and speech were not judged.`,
    sameness: "",
  };
}

function variableFrameRate(video: VideoProbe): RawFinding[] {
  if (video.isConstantFrameRate !== false) return [];
  const average =
    video.framesPerSecond === null ? "" : ` The average is ${round(video.framesPerSecond)} frames a second.`;
  return [
    {
      ruleCode: "FILE-VARIABLE-FRAME-RATE",
      summary: "The frame rate of the video varies.",
      severityReasoningHeadline: "Frames are not evenly spaced",
      severityReasoning: `The times between frames differ by more than the container's rounding.${average}`,
      sameness: "",
    },
  ];
}

function lowResolution(video: VideoProbe): RawFinding[] {
  const lines = Math.min(video.displayWidth, video.displayHeight);
  if (lines >= minimumLines) return [];
  return [
    {
      ruleCode: "FILE-LOW-RESOLUTION",
      summary: `The picture is only ${video.displayWidth} × ${video.displayHeight}.`,
      severityReasoningHeadline: `${lines} lines; ${minimumLines} are the least for readable text`,
      severityReasoning: `The shorter side of the picture as it is seen (${video.displayWidth} × ${video.displayHeight}) has ${lines} lines, below ${minimumLines}.`,
      sameness: "",
      measurement: { value: lines, limit: minimumLines, unit: "lines" },
    },
  ];
}

function unknownColour(video: VideoProbe): RawFinding[] {
  const { transferName, primaries, matrix } = video.colour;
  const missing = [
    ...(primaries === null ? ["primaries"] : []),
    ...(transferName === null ? ["transfer"] : []),
    ...(matrix === null ? ["matrix"] : []),
  ];
  if (missing.length < 3) return [];
  return [
    {
      ruleCode: "FILE-UNKNOWN-COLOUR",
      summary: "The video does not say how its colours are coded.",
      severityReasoningHeadline: "No colour tags",
      severityReasoning: `Its ${missing.join(", ")} are not tagged; it was analysed as ${video.displayHeight >= 720 ? "BT.709 (HD)" : "BT.601 (SD)"}, as most players would guess.`,
      sameness: "",
    },
  ];
}

function emptyDocument(): RawFinding {
  return {
    ruleCode: "FILE-EMPTY-DOCUMENT",
    summary: "The document has no pages.",
    severityReasoningHeadline: "Nothing to review",
    severityReasoning: "The document opens, but its list of pages, slides or sheets is empty.",
    sameness: "",
    measurement: { value: 0, limit: 1, unit: "pages" },
  };
}

function seconds(value: number): string {
  return `${round(value)} s`;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
