import { writeSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { rememberDecoder } from "../evidence/decode/decoder.ts";
import { rememberJail } from "../jail/jail.ts";
import { readLines } from "../jail/lines.ts";
import { reportedError } from "../jail/run-program.ts";
import { render } from "./render.ts";
import type { RenderMessage, RenderTask } from "./render-child.ts";

/** The program that render-child.ts starts: the task on stdin, messages on descriptor 3. */
const tasks = readLines(process.stdin, 2 ** 24);
const task = JSON.parse((await tasks.next()).value ?? "null") as RenderTask;
// What we start has our priority: an analysis on the same machine comes first.
setPriority(constants.priority.PRIORITY_LOW);
rememberJail(task.jail);
rememberDecoder(task.decoder);
// The parent process is gone when stdin ends, and nobody else would stop our children.
void tasks.next().then(() => process.kill(-process.pid, "SIGKILL"));

try {
  await render(task.request, {
    onPlan: (plan) => send({ plan }),
    onFile: (rendition) => send({ rendition }),
    onProgress: (progress) => send({ progress }),
  });
  send({ done: true });
} catch (error) {
  send(reportedError(error, "The file could not be made ready for browsers."));
}
process.exit(0);

function send(message: RenderMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let written = 0; written < bytes.length;) written += writeSync(3, bytes, written);
}
