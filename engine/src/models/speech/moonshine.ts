import llamaTokenizer from "llama-tokenizer-js";
import { type InferenceSession, Tensor } from "onnxruntime-node";
import { soundSampleRate } from "../../evidence/evidence.ts";
import { packageFile } from "../find-models.ts";
import { openSession } from "./session.ts";
import type { Transcriber } from "./transcriber.ts";

const layers = 8;
const heads = 8;
const headWidth = 52;
const startToken = 1;
const endToken = 2;
/** The fastest disclaimers have nine; without a limit, what it does not understand makes it stammer for ever. */
const maxTokensPerSecond = 10;

/** Moonshine base, int8: English only. */
export async function createMoonshine(): Promise<Transcriber> {
  const file = (name: string) =>
    packageFile("@usefulsensors/moonshine-js", "dist", "model", "base", "quantized", `${name}.onnx`);
  const encoder = await openSession(file("encoder_model"));
  const decoder = await openSession(file("decoder_model_merged"));
  return {
    async transcribe(samples) {
      const sound = Float32Array.from(samples, (sample) => sample / 32_768);
      const heard = await encoder.run({ input_values: new Tensor("float32", sound, [1, sound.length]) });
      const hidden = heard["last_hidden_state"];
      if (hidden === undefined) throw new Error("The encoder answered without its hidden state.");
      const maxTokens = Math.floor((samples.length / soundSampleRate) * maxTokensPerSecond) + 2;
      const { tokens, logLikelihoods } = await decode(decoder, { hidden, maxTokens });
      const text = llamaTokenizer.decode(tokens, false, false).replaceAll(/\s+/g, " ").trim();
      return { text, logLikelihoods, isCutOff: tokens.length === maxTokens, language: null };
    },
  };
}

/** The likeliest token each time, until the model says that it is done. */
async function decode(session: InferenceSession, { hidden, maxTokens }: { hidden: Value; maxTokens: number }) {
  let past = emptyPast();
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

function emptyPast(): Past {
  const past: Past = {};
  for (let layer = 0; layer < layers; layer += 1) {
    for (const part of ["decoder.key", "decoder.value", "encoder.key", "encoder.value"]) {
      past[`past_key_values.${layer}.${part}`] = new Tensor("float32", new Float32Array(0), [0, heads, 1, headWidth]);
    }
  }
  return past;
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
