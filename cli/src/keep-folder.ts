import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { keepNewest } from "@greenlit/engine/analysis-cache.ts";

const maxKept = 3;

/** Makes a folder for the next run, complete or not at all: several commands may start at once. Old ones are removed. */
export async function keepFolder(folder: string, fill: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  try {
    await fill(unfinished);
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  await keepNewest(dirname(folder), maxKept);
}
