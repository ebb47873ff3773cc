import { availableParallelism } from "node:os";
import { InferenceSession } from "onnxruntime-node";

export type SessionOptions = { threads?: number };

export function openSession(
  path: string,
  { threads = Math.min(4, availableParallelism()) }: SessionOptions = {},
): Promise<InferenceSession> {
  return InferenceSession.create(path, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // An arena keeps the most that any input ever took, for ever.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
    extra: {
      session: {
        // Otherwise Moonshine unpacks its 54 MB of words for every single one: half of all its time.
        disable_quant_qdq: "1",
        // Threads that spin while they wait take the processor from the decoder, which works at the same time.
        intra_op: { allow_spinning: "0" },
      },
    },
  });
}
