import { type InferenceSession, Tensor } from "onnxruntime-node";
import { soundSampleRate } from "../../evidence/evidence.ts";
import { packageFile } from "../find-models.ts";
import type { VoiceState } from "../models.ts";
import { openSession } from "./session.ts";

export const voiceWindowSamples = 512;
/** Each window is heard together with the end of the one before. */
const overlapSamples = 64;
const memoryShape = [2, 1, 128];
const memoryLength = 256;

export type VoiceDetector = {
  hear: (samples: Int16Array, state: VoiceState) => Promise<{ likelihoods: number[]; state: VoiceState }>;
};

/** Silero VAD v5: how likely each 32 ms hold a voice. */
export async function createVoiceDetector(): Promise<VoiceDetector> {
  const session = await openSession(packageFile("@ricky0123/vad-web", "dist", "silero_vad_v5.onnx"), { threads: 1 });
  const rate = new Tensor("int64", BigInt64Array.of(BigInt(soundSampleRate)), []);
  return {
    async hear(samples, state) {
      let memory: Tensor = new Tensor(
        "float32",
        Float32Array.from(state?.memory ?? new Float32Array(memoryLength)),
        memoryShape,
      );
      const input = new Float32Array(overlapSamples + voiceWindowSamples);
      input.set(state?.lastSamples ?? [], voiceWindowSamples);
      const likelihoods: number[] = [];
      for (let start = 0; start + voiceWindowSamples <= samples.length; start += voiceWindowSamples) {
        input.copyWithin(0, voiceWindowSamples);
        for (let n = 0; n < voiceWindowSamples; n += 1) input[overlapSamples + n] = (samples[start + n] ?? 0) / 32_768;
        const output: InferenceSession.OnnxValueMapType = await session.run({
          input: new Tensor("float32", input, [1, input.length]),
          state: memory,
          sr: rate,
        });
        memory = output["stateN"] as Tensor;
        likelihoods.push(Number((output["output"] as Tensor).data[0]));
      }
      return {
        likelihoods,
        state: {
          memory: Array.from(memory.data as Float32Array),
          lastSamples: Array.from(input.subarray(voiceWindowSamples)),
        },
      };
    },
  };
}
