import { AnalysisError } from "../../analysis-error.ts";
import type { Transcriber } from "./transcriber.ts";

/** The part of `@fugood/whisper.node` that is used. The package is the operator's to install. */
type WhisperModule = {
  initWhisper: (options: { filePath: string; useGpu: boolean }) => Promise<{
    transcribeData: (
      samples: ArrayBuffer,
      options: { language: string; temperature: number },
    ) => { promise: Promise<{ result: string; language?: string }> };
  }>;
};

/** A user's own Whisper weights. Weights whose name ends in `.en` know English only. */
export async function createWhisper(model: string): Promise<Transcriber> {
  const { initWhisper } = await load();
  const context = await initWhisper({ filePath: model, useGpu: false }).catch((error: unknown) => {
    throw new AnalysisError(
      "internal_error",
      "This worker cannot hear speech: the file that GREENLIT_WHISPER_MODEL names holds no Whisper weights in ggml format. Its operator must put such a file there.",
      { cause: error },
    );
  });
  const isEnglishOnly = /\.en\b/.test(model);
  return {
    async transcribe(samples) {
      const bytes = samples.slice().buffer;
      const { promise } = context.transcribeData(bytes, { language: isEnglishOnly ? "en" : "auto", temperature: 0 });
      const { result, language } = await promise;
      // "[BLANK_AUDIO]" and "(music)" are no words.
      const text = result.replaceAll(/\[[^\]]*\]|\([^)]*\)/g, " ");
      return { text, logLikelihoods: [], unknownShare: 0, isCutOff: false, language: language ?? null };
    },
  };
}

async function load(): Promise<WhisperModule> {
  // A variable, because the package is not ours to declare.
  const name = "@fugood/whisper.node";
  try {
    return (await import(name)) as WhisperModule;
  } catch (error) {
    throw new AnalysisError(
      "internal_error",
      `This worker cannot hear speech: GREENLIT_WHISPER_MODEL is set, but ${name} cannot be loaded. Its operator must install it (npm install ${name}).`,
      { cause: error },
    );
  }
}
