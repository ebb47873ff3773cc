import { AnalysisError, isAnalysisErrorType } from "../analysis-error.ts";
import type { Models, Utterance, VoiceState } from "./models.ts";
import type { ReadCode } from "./read-code.ts";
import type { ReadLine, ReadOptions } from "./read-line.ts";

/** What goes over the wire: for each call its words, beside the bytes of the picture or sound, and its answer. */
export type Calls = {
  readText: { ask: PictureSize & { options: ReadOptions }; answer: ReadLine[] };
  readCodes: { ask: PictureSize; answer: ReadCode[] };
  judgePicture: { ask: PictureSize; answer: { nudity: number } };
  hearVoice: { ask: { state: VoiceState }; answer: { likelihoods: number[]; state: VoiceState } };
  transcribe: { ask: Record<string, never>; answer: Utterance };
};

export type CallName = keyof Calls;

type PictureSize = { width: number; height: number };

export type CallHeader = { id: number; call: CallName; words: Calls[CallName]["ask"] };

export type AnswerHeader =
  | { id: number; result: unknown; residentBytes?: number }
  | { id: number; error: { errorType: string; message: string; cause: string | undefined } };

export type Ask = <Name extends CallName>(request: Call<Name>) => Promise<Calls[Name]["answer"]>;

export type Call<Name extends CallName> = { call: Name; words: Calls[Name]["ask"]; bytes: Uint8Array };

/** The models as evidence code sees them, wherever they are asked. */
export function modelsBy(ask: Ask): Models {
  return {
    readText: ({ width, height, pixels }, options = {}) =>
      ask({ call: "readText", words: { width, height, options }, bytes: pixels }),
    readCodes: ({ width, height, pixels }) => ask({ call: "readCodes", words: { width, height }, bytes: pixels }),
    judgePicture: ({ width, height, pixels }) => ask({ call: "judgePicture", words: { width, height }, bytes: pixels }),
    hearVoice: (samples, state) => ask({ call: "hearVoice", words: { state }, bytes: bytesOf(samples) }),
    transcribe: (samples) => ask({ call: "transcribe", words: {}, bytes: bytesOf(samples) }),
  };
}

export function describeError(error: unknown): { errorType: string; message: string; cause: string | undefined } {
  if (!(error instanceof AnalysisError)) throw error;
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return { errorType: error.errorType, message: error.message, cause };
}

export function resultOf(answer: AnswerHeader): unknown {
  if ("result" in answer) return answer.result;
  const { errorType, message, cause } = answer.error;
  throw new AnalysisError(isAnalysisErrorType(errorType) ? errorType : "internal_error", message, {
    cause: new Error(cause),
  });
}

function bytesOf(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}
