import { writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { rememberDecoder } from "../evidence/decode/decoder.ts";
import { rememberJail } from "../jail/jail.ts";
import { readLines } from "../jail/lines.ts";
import { reportedError } from "../jail/run-program.ts";
import { openModels } from "../models/open-models.ts";
import { unpackPrint } from "./pack-print.ts";
import type { VerifyMessage, VerifyTask } from "./verify-child.ts";
import { verifyContent } from "./verify-file.ts";

/** The program that verify-child.ts starts: the task on stdin, the answer on descriptor 3. */
const tasks = readLines(process.stdin, 2 ** 24);
const task = JSON.parse((await tasks.next()).value ?? "null") as VerifyTask;
rememberJail(task.jail);
rememberDecoder(task.decoder);
// The parent process is gone when stdin ends, and nobody else would stop our children.
void tasks.next().then(() => process.kill(-process.pid, "SIGKILL"));

try {
  await using models = openModels();
  const { masterFile, knownFile, ...file } = task.request;
  const known = unpackPrint(await readFile(knownFile));
  const master = unpackPrint(await readFile(masterFile));
  send({ result: await verifyContent(master, { ...file, known, models, sidekicks: [], context: {} }) });
} catch (error) {
  send(reportedError(error, "The file could not be compared because of a problem on our side. Try again."));
}
process.exit(0);

function send(message: VerifyMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let written = 0; written < bytes.length;) written += writeSync(3, bytes, written);
}
