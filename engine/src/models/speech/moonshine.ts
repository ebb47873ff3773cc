import { join } from "node:path";
import llamaTokenizer from "llama-tokenizer-js";
import { type InferenceSession, Tensor } from "onnxruntime-node";
import { soundSampleRate } from "../../evidence/evidence.ts";
import { AnalysisError } from "../../analysis-error.ts";
import { moonshineFiles, packageFile } from "../find-models.ts";
import { openSession, type SessionOptions } from "./session.ts";
import { unknownShare } from "./unknown-share.ts";
import type { Transcriber } from "./transcriber.ts";

const startToken = 1;
const endToken = 2;
/** The fastest disclaimers have nine; without a limit, what it does not understand makes it stammer for ever. */
const maxTokensPerSecond = 10;

/**
 * Moonshine: English only. The built-in one is base in int8; `folder` holds another size or precision, as the two files
 * of its ONNX export.
 */
export async function createMoonshine(folder: string | null = null): Promise<Transcriber> {
  const own = folder ?? packageFile("@usefulsensors/moonshine-js", "dist", "model", "base", "quantized");
  const open = (name: string, options?: SessionOptions) =>
    openSession(join(own, name), options).catch((error: unknown) => {
      throw folder === null ? error : notMoonshine(error);
    });
  const encoder = await open(moonshineFiles.encoder);
  // A word is a thousand tiny steps: threads that hand them to each other take a quarter more time of the processor.
  const decoder = await open(moonshineFiles.decoder, { threads: 1 });
  // Whisper has files of the same names, whose encoder takes a spectrum.
  if (!encoder.inputNames.includes("input_values")) throw notMoonshine();
  const shape = shapeOf(decoder);
  return {
    async transcribe(samples) {
      const sound = Float32Array.from(samples, (sample) => sample / 32_768);
      const heard = await encoder.run({ input_values: new Tensor("float32", sound, [1, sound.length]) });
      const hidden = heard["last_hidden_state"];
      if (hidden === undefined) throw new Error("The encoder answered without its hidden state.");
      const maxTokens = Math.floor((samples.length / soundSampleRate) * maxTokensPerSecond) + 2;
      const { tokens, logLikelihoods } = await decode(decoder, { hidden, maxTokens, shape });
      const text = llamaTokenizer.decode(tokens, false, false).replaceAll(/\s+/g, " ").trim();
      return {
        text,
        logLikelihoods,
        unknownShare: unknownShare(text),
        isCutOff: tokens.length === maxTokens,
        language: null,
      };
    },
  };
}

/** The likeliest token each time, until the model says that it is done. */
async function decode(
  session: InferenceSession,
  { hidden, maxTokens, shape }: { hidden: Value; maxTokens: number; shape: PastShape },
) {
  let past = emptyPast(shape);
  let next = startToken;
  const tokens: number[] = [];
  const logLikelihoods: number[] = [];
  while (tokens.length < maxTokens) {
    const output = await session.run({
      input_ids: new Tensor("int64", BigInt64Array.of(BigInt(next)), [1, 1]),
      encoder_hidden_states: hidden,
      use_cache_branch: new Tensor("bool", [tokens.length > 0], [1]),
      ...past,
    });
    const logits = (output["logits"] as Tensor).data as Float32Array;
    // Nothing is handed in that no voice was heard in; where the model still begins with the end, the next best counts.
    const best = likeliest(logits, tokens.length === 0 ? endToken : null);
    next = best.token;
    logLikelihoods.push(best.logLikelihood);
    if (next === endToken) break;
    tokens.push(next);
    past = advance(past, output, tokens.length === 1);
  }
  return { tokens, logLikelihoods };
}

type Value = InferenceSession.OnnxValueMapType[string];

type Past = Record<string, Value>;

/** What the decoder remembers between two words; its size differs from model to model. */
type PastShape = { names: string[]; heads: number; headWidth: number };

function shapeOf(decoder: InferenceSession): PastShape {
  const inputs = decoder.inputMetadata.filter(({ name }) => name.startsWith("past_key_values."));
  const first = inputs[0];
  const [, heads, , headWidth] = first?.isTensor === true ? first.shape : [];
  if (typeof heads !== "number" || typeof headWidth !== "number") {
    throw notMoonshine();
  }
  return { names: inputs.map(({ name }) => name), heads, headWidth };
}

function notMoonshine(cause?: unknown): AnalysisError {
  return new AnalysisError(
    "internal_error",
    "This worker cannot hear speech: the folder that GREENLIT_SPEECH_MODEL names holds no Moonshine with a merged decoder that can be read. Its operator must put one there; Whisper goes in by GREENLIT_WHISPER_MODEL, as ggml weights.",
    { cause },
  );
}

function emptyPast({ names, heads, headWidth }: PastShape): Past {
  return Object.fromEntries(
    names.map((name) => [name, new Tensor("float32", new Float32Array(0), [0, heads, 1, headWidth])]),
  );
}

/** What the encoder heard stays the same after the first step, and later steps leave it out. */
function advance(past: Past, output: InferenceSession.OnnxValueMapType, isFirst: boolean): Past {
  const next: Past = {};
  for (const [name, value] of Object.entries(past)) {
    const present = output[name.replace("past_key_values", "present")];
    next[name] = isFirst || name.includes("decoder") ? (present ?? value) : value;
  }
  return next;
}

function likeliest(logits: Float32Array, barred: number | null): { token: number; logLikelihood: number } {
  let token = 0;
  for (let candidate = 1; candidate < logits.length; candidate += 1) {
    if ((logits[candidate] ?? 0) > (logits[token] ?? 0) && candidate !== barred) token = candidate;
  }
  const top = logits[token] ?? 0;
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - top);
  return { token, logLikelihood: -Math.log(sum) };
}
