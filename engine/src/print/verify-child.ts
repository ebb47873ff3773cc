import { fileURLToPath } from "node:url";
import type { ReportedError } from "../analysis-error.ts";
import { type Decoder, findDecoder } from "../evidence/decode/decoder.ts";
import { findJail, type Jail } from "../jail/jail.ts";
import { runProgram } from "../jail/run-program.ts";
import type { PrintedFile } from "./print-file.ts";
import type { ContentVerification } from "./verify-file.ts";

/** A file that was analysed, with the files of its own print and of the print of what was cleared. */
export type VerifyRequest = PrintedFile & { knownFile: string; masterFile: string };

/** The one line of JSON that the child gets. */
export type VerifyTask = { request: VerifyRequest; jail: Jail; decoder: Decoder };

/** One line of JSON from the child. */
export type VerifyMessage = { result: ContentVerification } | { error: ReportedError };

const program = fileURLToPath(new URL("./verify-program.ts", import.meta.url));
/** Prints of two films of hours, unpacked. */
const heapBytes = 1024 * 2 ** 20;

/** Compares an analysed file with the print of what was cleared, in a Node of its own. */
export async function verifyInChild(request: VerifyRequest, signal: AbortSignal): Promise<ContentVerification> {
  const task: VerifyTask = { request, jail: await findJail(), decoder: await findDecoder() };
  const endedMessage = "Comparing the file ended unexpectedly.";
  for await (const { result } of runProgram<VerifyMessage>(program, { task, heapBytes, signal, endedMessage }))
    return result;
  throw new Error("A program that was listened to ends with a message or an error.");
}
