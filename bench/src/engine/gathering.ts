import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildEngine, buildProgram } from "@greenlit/engine/build-engine.ts";
import { type Decoder, findDecoder } from "@greenlit/engine/evidence/decode/decoder.ts";
import type { EvidenceKey } from "@greenlit/engine/evidence/evidence.ts";
import type { BuiltCode } from "@greenlit/engine/jail/built-code.ts";
import { findJail, type Jail } from "@greenlit/engine/jail/jail.ts";
import { analysisArguments } from "@greenlit/engine/jail/worker-code.ts";
import { openScratchFolder } from "../scratch.ts";
import { type Measured, measureProcess } from "./measure-process.ts";

/** What a service finds out once and tells each analysis. */
export type KnownToService = { code: BuiltCode; jail: Jail; decoder: Decoder };

const part = fileURLToPath(new URL("./gathering-part.ts", import.meta.url));

/**
 * Gathers evidence of a file as a service that has been running for a while does: a Node, and under it the jailed
 * decoder, models and workers, all of built code.
 */
export async function openGathering(
  stack: AsyncDisposableStack,
): Promise<
  (file: string, words: readonly (EvidenceKey | "again")[], how?: { isWatched: boolean }) => Promise<Measured>
> {
  const folder = await openScratchFolder(stack);
  const codeFolder = join(folder, "code");
  await buildEngine({ codeFolder, snapshotFile: join(folder, "unused.cjs") });
  const program = join(folder, "gathering.mjs");
  await buildProgram({ program: part, file: program });
  // A child that has become nobody reads it.
  await chmod(codeFolder, 0o755);
  const known: KnownToService = { code: { codeFolder }, jail: await findJail(), decoder: await findDecoder() };
  const node = analysisArguments({ heapBytes: 2 ** 30 });
  return (file, words, how) =>
    measureProcess(process.execPath, [...node, program, JSON.stringify(known), file, ...words], how);
}
