import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { keepNewest } from "@greenlit/engine/analysis-cache.ts";
import { isOursAlone, keptRoot, keptServiceFolder } from "../bin/kept-code.js";

const maxKept = 3;

/**
 * Keeps the service as one file for the next start, which then need not find and load two thousand. Where that cannot
 * be written, or could be somebody else's, every start takes longer and nothing else.
 */
export async function keepService(): Promise<void> {
  if (!existsSync(keptRoot()) || !isOursAlone(keptRoot())) return;
  const folder = keptServiceFolder();
  if (existsSync(folder)) return;
  const { buildProgram } = await import("@greenlit/engine/build-engine.ts");
  // Complete or not there: several processes may start at once.
  const unfinished = `${folder}.${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await buildProgram({
      program: fileURLToPath(new URL("./serve-program.ts", import.meta.url)),
      file: join(unfinished, "serve.mjs"),
    });
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  await keepNewest(dirname(folder), maxKept);
}
