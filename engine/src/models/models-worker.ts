import { Socket } from "node:net";
import { type AnswerHeader, type CallHeader, type Calls, type CallName, describeError } from "./calls.ts";
import type { ModelsSetup } from "./models-process.ts";
import { readMessages, writeMessage } from "./wire.ts";

/**
 * Started by models-process.ts: holds the models and answers one call after the other on descriptor 3. Anything but an
 * AnalysisError ends it, and its parent starts another. It ends when the pipe does.
 */
const setup = JSON.parse(process.argv[2] ?? "{}") as ModelsSetup;

type Handlers = {
  [Name in CallName]: (words: Calls[Name]["ask"], bytes: Uint8Array<ArrayBuffer>) => Promise<Calls[Name]["answer"]>;
};

const textReader = once(async () => (await import("./ocr/text-reader.ts")).createTextReader());
const codeReader = once(async () => (await import("./codes/code-reader.ts")).createCodeReader());
const voiceDetector = once(async () => (await import("./speech/voice-detector.ts")).createVoiceDetector());
const transcriber = once(async () =>
  setup.whisperModel === null
    ? (await import("./speech/moonshine.ts")).createMoonshine(setup.speechModel)
    : (await import("./speech/whisper.ts")).createWhisper(setup.whisperModel),
);
const pictureJudge = once(async () => (await import("./nudity/picture-judge.ts")).createPictureJudge());

const handlers: Handlers = {
  readText: async ({ width, height, options }, pixels) => (await textReader()).read({ width, height, pixels }, options),
  readCodes: async ({ width, height }, pixels) => (await codeReader()).read({ width, height, pixels }),
  hearVoice: async ({ state }, bytes) => (await voiceDetector()).hear(samplesOf(bytes), state),
  transcribe: async (_, bytes) => (await transcriber()).transcribe(samplesOf(bytes)),
  judgePicture: async ({ width, height }, pixels) => (await pictureJudge()).judge({ width, height, pixels }),
};

const pipe = new Socket({ fd: 3, readable: true, writable: true });
for await (const { header, payload } of readMessages(pipe)) {
  const { id, call, words } = header as CallHeader;
  const handle = handlers[call] as (words: unknown, bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>;
  let answer: AnswerHeader;
  try {
    answer = { id, result: await handle(words, payload), residentBytes: process.memoryUsage.rss() };
  } catch (error) {
    answer = { id, error: describeError(error) };
  }
  await writeMessage(pipe, { header: answer });
}
process.exit(0);

/** Loads at the first call and keeps what it loaded. */
function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => (loading ??= load());
}

function samplesOf(bytes: Uint8Array<ArrayBuffer>): Int16Array {
  return new Int16Array(bytes.buffer, 0, bytes.length / 2);
}
