import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isOursAlone, keptRoot, keptServiceFolder } from "../bin/kept-code.js";
import { keepFolder } from "./keep-folder.ts";

/**
 * Keeps the service as one file for the next start, which then need not find and load two thousand. Where that cannot
 * be written, or could be somebody else's, every start takes longer and nothing else.
 */
export async function keepService(): Promise<void> {
  if (!existsSync(keptRoot()) || !isOursAlone(keptRoot())) return;
  const folder = keptServiceFolder();
  if (existsSync(folder)) return;
  const { buildProgram } = await import("@greenlit/engine/build-engine.ts");
  const program = fileURLToPath(new URL("./serve-program.ts", import.meta.url));
  await keepFolder(folder, (unfinished) => buildProgram({ program, file: join(unfinished, "serve.mjs") }));
}
