import { Type } from "typebox";
import type { Evidence, TextLie } from "../../evidence/evidence.ts";
import type { Probe, VideoProbe } from "../../evidence/probe/probe-shape.ts";
import { defineCheckKind, everyKind, type Hit } from "../check-kind.ts";
import { count, list, round, seconds } from "../format-numbers.ts";
import { shorten } from "../wording/phrase.ts";

const problems = {
  truncated: ({ probe }) => truncated(probe),
  "duration-mismatch": ({ probe }) => durationMismatch(probe),
  "no-audio": ({ probe }) => noAudio(probe),
  "variable-frame-rate": ({ probe }) => variableFrameRate(probe),
  "low-resolution": ({ probe }) => lowResolution(probe),
  "unknown-colour": ({ probe }) => unknownColour(probe),
  "empty-document": ({ probe }) => emptyDocument(probe),
  "text-differs": ({ document }) => textDiffers(document?.lies ?? []),
} satisfies Record<string, (evidence: Evidence) => Hit[]>;

const minimumLines = 480;

type Problem = keyof typeof problems;

/** Plain arithmetic on what the file says about itself. */
export const fileIntegrity = defineCheckKind({
  kind: "file-integrity",
  about:
    "The file itself: cut short, without sound, uneven frames, few lines, untagged colours, no pages, text that is not what is drawn.",
  parameters: Type.Object({
    problem: Type.Enum(Object.keys(problems) as Problem[]),
  }),
  appliesTo: everyKind,
  needs: ({ problem }) => (problem === "text-differs" ? ["document"] : ["probe"]),
  run: ({ evidence, parameters }) => problems[parameters.problem](evidence),
});

function truncated(probe: Probe): Hit[] {
  const { truncatedAtSeconds: end, containerDurationSeconds: announced } = probe;
  if (end === null) return [];
  if (announced === null || announced <= end) {
    return [
      {
        summary: `The file breaks off after ${seconds(end)}: its end is missing.`,
        headline: "The end is missing",
        reasoning: `What can be played ends at ${seconds(end)}, in the middle of a part of the file. How much is missing is not known; it was not analysed.`,
        identity: "",
        location: { startSeconds: end, endSeconds: end },
      },
    ];
  }
  return [
    {
      summary: `The file stops at ${seconds(end)} of ${seconds(announced)}.`,
      headline: `${seconds(announced - end)} are missing`,
      reasoning: `Its index announces ${seconds(announced)}, but the last readable packet ends at ${seconds(end)}: ${seconds(announced - end)} (${Math.round((100 * (announced - end)) / announced)} %) cannot be played or analysed.`,
      identity: "",
      location: { startSeconds: end, endSeconds: announced },
      measurement: { value: round(end), limit: round(announced), unit: "s" },
    },
  ];
}

function durationMismatch(probe: Probe): Hit[] {
  const picture = film(probe)?.durationSeconds ?? null;
  const sound = probe.audio?.durationSeconds ?? null;
  if (picture === null || sound === null || probe.truncatedAtSeconds !== null) return [];
  const difference = Math.abs(picture - sound);
  // Encoders pad sound to whole packets, and live recorders stop the two a moment apart.
  const tolerance = Math.max(0.5, Math.max(picture, sound) * 0.01);
  if (difference <= tolerance) return [];
  const shorter = picture < sound ? "picture" : "sound";
  return [
    {
      summary: `The ${shorter} ends ${seconds(difference)} before the ${shorter === "picture" ? "sound" : "picture"}.`,
      headline: `${seconds(difference)} apart; up to ${seconds(tolerance)} is usual`,
      reasoning: `The picture lasts ${seconds(picture)} and the sound ${seconds(sound)}: ${seconds(difference)} apart, where ${seconds(tolerance)} (the larger of 0.5 s and 1 % of the length) is usual.`,
      identity: shorter,
      location: { startSeconds: Math.min(picture, sound), endSeconds: Math.max(picture, sound) },
      measurement: { value: round(difference), limit: round(tolerance), unit: "s" },
    },
  ];
}

function noAudio(probe: Probe): Hit[] {
  if (film(probe) === null || probe.audio !== null) return [];
  return [
    {
      summary: "The video has no sound stream.",
      headline: "No sound to analyse",
      reasoning: `The ${probe.container} file holds ${probe.videoStreamCount === 1 ? "one picture stream" : `${probe.videoStreamCount} picture streams`} and no sound stream, so loudness and speech were not judged.`,
      identity: "",
    },
  ];
}

function variableFrameRate(probe: Probe): Hit[] {
  const video = film(probe);
  if (video?.isConstantFrameRate !== false) return [];
  const average =
    video.framesPerSecond === null ? "" : ` The average is ${round(video.framesPerSecond)} frames a second.`;
  return [
    {
      summary: "The frame rate of the video varies.",
      headline: "Frames are not evenly spaced",
      reasoning: `The times between frames differ by more than the container's rounding.${average}`,
      identity: "",
    },
  ];
}

function lowResolution(probe: Probe): Hit[] {
  const video = film(probe);
  if (video === null) return [];
  const lines = Math.min(video.displayWidth, video.displayHeight);
  if (lines >= minimumLines) return [];
  return [
    {
      summary: `The picture is only ${video.displayWidth} × ${video.displayHeight}.`,
      headline: `${lines} lines; ${minimumLines} are the least for readable text`,
      reasoning: `The shorter side of the picture as it is seen (${video.displayWidth} × ${video.displayHeight}) has ${lines} lines, below ${minimumLines}.`,
      identity: "",
      measurement: { value: lines, limit: minimumLines, unit: "lines" },
    },
  ];
}

function unknownColour(probe: Probe): Hit[] {
  const video = film(probe);
  if (video === null) return [];
  const { transferName, primaries, matrix } = video.colour;
  const missing = [
    ...(primaries === null ? ["primaries"] : []),
    ...(transferName === null ? ["transfer"] : []),
    ...(matrix === null ? ["matrix"] : []),
  ];
  if (missing.length < 3) return [];
  return [
    {
      summary: "The video does not say how its colours are coded.",
      headline: "No colour tags",
      reasoning: `Its ${missing.join(", ")} are not tagged; it was analysed as ${video.displayHeight >= 720 ? "BT.709 (HD)" : "BT.601 (SD)"}, as most players would guess.`,
      identity: "",
    },
  ];
}

function emptyDocument(probe: Probe): Hit[] {
  if (probe.kind !== "document" || probe.pages !== 0) return [];
  return [
    {
      summary: "The document has no pages.",
      headline: "Nothing to review",
      reasoning: "The document opens, but its list of pages, slides or sheets is empty.",
      identity: "",
      measurement: { value: 0, limit: 1, unit: "pages" },
    },
  ];
}

function textDiffers(lies: readonly TextLie[]): Hit[] {
  const [first] = lies;
  if (first === undefined) return [];
  const pages = [...new Set(lies.map(({ page }) => page))].slice(0, 8).map(String);
  return [
    {
      summary: `The page shows “${shorten(first.shows, 80)}”, but the text in the file says “${shorten(first.says, 80)}”.`,
      headline: "What is drawn is not what the file says",
      reasoning: `On ${pages.length === 1 ? "page" : "pages"} ${list(pages)} a reading of the drawn page differs from the text that the file gives for it in ${count(lies.length, "line", "lines")}. The page was judged by what it shows.`,
      identity: "text-differs",
      location: { page: first.page, region: first.region, quote: shorten(first.shows, 200) },
    },
  ];
}

function film(probe: Probe): VideoProbe | null {
  return probe.kind === "video" ? probe.video : null;
}
