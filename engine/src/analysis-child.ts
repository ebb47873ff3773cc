import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { AnalysisError } from "./analysis-error.ts";
import { analyze } from "./analyze.ts";
import { recallRequiredLiterals } from "./text/required-literals.ts";
import type { ChildMessage, ChildTask } from "./child.ts";
import { rememberDecoder } from "./evidence/decode/decoder.ts";
import { builtCodeIn, useBuiltCode } from "./jail/built-code.ts";
import { rememberJail } from "./jail/jail.ts";
import { readLines } from "./jail/lines.ts";
import { modelsBy } from "./models/calls.ts";
import { connectModels } from "./models/connect-models.ts";

/** The program that child.ts starts: the request on stdin, messages on descriptor 3, the models on descriptor 4. */
const requests = readLines(process.stdin, 2 ** 24);
const task = JSON.parse((await requests.next()).value ?? "null") as ChildTask;
rememberJail(task.jail);
rememberDecoder(task.decoder);
// The parent process is gone when stdin ends: nobody wants the answer, and nobody else would stop our children.
void requests.next().then(() => process.kill(-process.pid, "SIGKILL"));
const { cacheFolder } = task;
if (cacheFolder !== undefined) useBuiltCode(builtCodeIn(cacheFolder));

try {
  if (cacheFolder !== undefined) await recallRequiredLiterals(join(cacheFolder, "required-literals.json"));
  const result = await analyze(task.request, {
    models: task.hasModels ? modelsBy(connectModels(new Socket({ fd: 4, readable: true, writable: true }))) : undefined,
    onProgress: (progress) => send({ progress }),
    onProbe: (probe) => send({ probe }),
    onFinding: (finding) => send({ finding }),
  });
  send({ result });
} catch (error) {
  const cause =
    error instanceof Error ? `${error.stack ?? error.message}\n${describeCause(error.cause)}` : String(error);
  send({
    error: {
      errorType: error instanceof AnalysisError ? error.errorType : "internal_error",
      message:
        error instanceof AnalysisError
          ? error.message
          : "The analysis failed because of a problem on our side. Try again.",
      cause,
    },
  });
}
// Our parent kills us now.
await new Promise(() => {});

function send(message: ChildMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  let written = 0;
  while (written < bytes.length) written += writeSync(3, bytes, written);
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? `caused by ${cause.message}` : "";
}
