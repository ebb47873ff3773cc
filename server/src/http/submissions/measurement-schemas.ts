import type { Cue, Region as PictureRegion, Span, Super } from "@greenlit/engine/evidence/evidence.ts";
import type { Measurements as Measured } from "@greenlit/engine/measurements.ts";
import { type TSchema, Type } from "typebox";

/**
 * What the engine measured, described. Nothing below the first level is `required` and additional properties are allowed: results
 * are kept for years, and those of an older or newer engine must not fail to be served.
 */
type Schema = { type: string | string[]; [keyword: string]: unknown };

const number = (description: string): Schema => ({ type: "number", description });
const maybeNumber = (description: string): Schema => ({ type: ["number", "null"], description });
const string = (description: string): Schema => ({ type: "string", description });
const maybeString = (description: string): Schema => ({ type: ["string", "null"], description });
const boolean = (description: string): Schema => ({ type: "boolean", description });
const choice = (values: string[], description?: string): Schema => ({
  type: "string",
  enum: values,
  ...(description !== undefined && { description }),
});

function object(properties: Record<string, unknown>, options: Record<string, unknown> = {}): Schema {
  return { type: "object", additionalProperties: true, properties, ...options };
}

function list(items: unknown, description: string): Schema {
  return { type: "array", items, description };
}

/** May be null: not asked for, or does not apply. */
function nullable<T>(schema: Schema) {
  return Type.Unsafe<T | null>({ ...schema, type: [schema.type, "null"].flat() });
}

const times = {
  startSeconds: number("From the start of the presentation."),
  endSeconds: number("Where it is over, exclusive."),
};

export const Region = Type.Unsafe<PictureRegion | null>({
  type: ["object", "null"],
  description: "In fractions of the frame or page, from the top left.",
  required: ["x", "y", "width", "height"],
  properties: { x: { type: "number" }, y: { type: "number" }, width: { type: "number" }, height: { type: "number" } },
});

const notJudged = maybeString("Null: judged. Otherwise why it was not, in words.");

function curve(name: string, description: string): Schema {
  return list({ type: ["number", "null"] }, `${name}, one value a step. ${description}`.trim());
}

const loudness = object(
  {
    integratedLufs: maybeNumber("EBU R 128. Null: nothing was louder than the gate of -70 LUFS."),
    maxShortTermLufs: maybeNumber("Over any 3 s."),
    maxMomentaryLufs: maybeNumber("Over any 400 ms."),
    rangeLu: maybeNumber("Loudness range."),
    truePeakDbtp: maybeNumber("True peak."),
    curve: object(
      {
        startSeconds: number("Where the curve begins."),
        stepSeconds: number("Value n belongs to the window that ends at startSeconds + (n + 1) × stepSeconds."),
        momentaryLufs: curve("Momentary loudness", "Null: silence."),
        shortTermLufs: curve("Short-term loudness", "Null: silence, or the first seconds."),
      },
      { description: "At most 20,000 steps; of a longer one each value is the loudest of its step." },
    ),
  },
  { title: "Loudness" },
);

const flashes = object(
  {
    notJudged,
    maxGeneralPerSecond: number("The most flashes in any one second, by the area that counts in broadcasting."),
    maxRedPerSecond: number("The same of flashes of saturated red."),
    wcag: object(
      { maxGeneralPerSecond: number("By WCAG's area."), maxRedPerSecond: number("By WCAG's area.") },
      { description: "By the area of WCAG 2.3.1: a quarter of any ten degrees of sight." },
    ),
    sequences: list(
      object({
        kind: choice(["general", "red"]),
        ...times,
        flashes: number("Pairs of opposing changes."),
        areaShare: number("The largest share of the frame that flashed at once, 0 to 1."),
        standard: choice(["broadcast", "wcag"], "Whose area counts."),
        maxPerSecond: number("The most in any one second."),
        windowShare: number("The share of the ten degrees of sight where it was most."),
        region: Region,
      }),
      "Stretches of two or more flashes a second.",
    ),
    curve: object({
      stepSeconds: number("Length of a step."),
      luminance: curve("Mean luminance of the picture in cd/m²", "SDR white is 200."),
      generalPerSecond: curve("Flashes a second", ""),
      redPerSecond: curve("Red flashes a second", ""),
    }),
  },
  { title: "Flashes" },
);

const patterns = object({
  notJudged,
  patterns: list(
    object({
      ...times,
      pairs: number("Pairs of light and dark stripes."),
      areaShare: number("Share of the frame, 0 to 1."),
      brightNits: number("Luminance of the lighter stripes in cd/m²."),
      motion: choice(["still", "moving", "reversing"]),
      region: Region,
    }),
    "Regular stripes.",
  ),
});

const superSchema = object(
  {
    text: string("As it was read."),
    startSeconds: maybeNumber("Its first frame; null in a still picture."),
    endSeconds: maybeNumber("Where it is over; null in a still picture."),
    heightLines: number("Height of a capital letter or figure, in lines of the original frame."),
    contrastRatio: maybeNumber("Letters against what is behind them, 1 to 21, where it was least."),
    region: Region,
    heightShare: number("The height as a share of the frame's."),
    isMoving: boolean("It scrolls or crawls; the region is all that it passed through."),
    confidence: number("How sure the reader was, 0 to 1."),
    isCode: boolean("It is the content of a QR code; left out otherwise."),
  },
  { title: "Super" },
);

const cue = object({ ...times, text: string("The whole cue."), lines: list({ type: "string" }, "Its lines.") });

const metadata = object(
  {
    gps: {
      ...object({
        latitude: number("Degrees north."),
        longitude: number("Degrees east."),
        source: string("Where it was found."),
      }),
      type: ["object", "null"],
    },
    entries: list(
      object({ name: string("camera, author, …"), value: string("As found."), source: string("Where it was found.") }),
      "Who and what made the file.",
    ),
    digitalSourceType: {
      ...object({
        value: string("The IPTC term, such as trainedAlgorithmicMedia."),
        source: string("Where it was found."),
      }),
      type: ["object", "null"],
    },
    contentCredentials: {
      ...object({
        isValid: boolean("Signature and hashes hold; whether the signer is trusted is not judged."),
        isAiMade: boolean("The credentials say that a generative model made it."),
        issuer: maybeString("Who signed."),
        claimGenerator: maybeString("The program that made the claim."),
        actions: list({ type: "string" }, "What was done to the file, oldest first."),
        problems: list({ type: "string" }, "C2PA codes: why it is not valid, or what could not be determined."),
      }),
      type: ["object", "null"],
      description: "C2PA.",
    },
  },
  { title: "MediaMetadata" },
);

const spans = (description: string) => nullable<Span[]>(list(object(times), description));

export const Measurements = Type.Object(
  {
    loudness: nullable<Measured["loudness"]>(loudness),
    flashes: nullable<Measured["flashes"]>(flashes),
    patterns: nullable<Measured["patterns"]>(patterns),
    tones: nullable<Measured["tones"]>(
      list(
        object({
          kind: choice(["eas_attention", "eas_header", "weather_alarm"]),
          ...times,
          levelDbfs: number("How loud."),
        }),
        "Signals of emergency alerts.",
      ),
    ),
    black: spans("Black frames."),
    freezes: spans("A picture that stands still."),
    silences: spans("No sound."),
    supers: nullable<Super[]>(list(superSchema, "Text in the picture, from its first to its last frame.")),
    speech: nullable<{ segmentCount: number; notJudged: string | null }>(
      object({
        segmentCount: number("The words are at `…/transcript`."),
        notJudged: maybeString("Why the words are not to be trusted as a whole."),
      }),
    ),
    captions: nullable<{ language: string | null; codec: string; cues: Cue[] }[]>(
      list(
        object({
          language: maybeString("As the file names it."),
          codec: string("srt, vtt, mov_text, …"),
          cues: list(cue, "In the order of the file."),
        }),
        "Subtitle streams of a film, or the one track that a caption file is.",
      ),
    ),
    nudity: nullable<Measured["nudity"]>(
      list(
        object({ seconds: maybeNumber("When; null in a still picture."), score: number("0 to 1.") }),
        "Pictures that a person should look at; never evidence by itself.",
      ),
    ),
    pages: nullable<Measured["pages"]>(
      list(object({ page: number("From 1."), text: string("In reading order.") }), "The text of a document."),
    ),
    omissions: nullable<string[]>(
      list({ type: "string" }, "What was not checked, and why: whatever is named here is not clean, it is unknown."),
    ),
    image: nullable<Measured["image"]>(
      object({
        width: number("Upright, in pixels."),
        height: number("Upright, in pixels."),
        frameCount: number("Frames of an animation, or pages."),
        hasAlpha: boolean("It has transparent parts."),
        orientation: maybeNumber("EXIF orientation of the file."),
        durationSeconds: maybeNumber("Animations only."),
      }),
    ),
    metadata: nullable<Measured["metadata"]>(metadata),
    suggestedContext: nullable<Measured["suggestedContext"]>(
      object({
        jurisdictions: nullable<string[]>(
          list({ type: "string" }, "The market that the words point to; null where it was declared or does not show."),
        ),
        sector: nullable<string>(string("The sector; null where it was declared or does not show.")),
        because: list({ type: "string" }, "The words that speak for it."),
        notUnderstood: list(
          { type: "string" },
          "What was declared and is not known, so that it counts as not declared; missing in results of earlier versions.",
        ),
      }),
    ),
  } satisfies Record<keyof Measured, TSchema>,
  { title: "Measurements" },
);
