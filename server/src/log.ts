import { closeSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { destination, pino, type Logger } from "pino";
import { ConfigError } from "./config.ts";

const rotateBytes = 64 * 1024 * 1024;

/** Writes asynchronously: a synchronous line a request costs a third of the throughput. */
export function openLog(options: { target: string; level: string }): { log: Logger } & AsyncDisposable {
  const { target, level } = options;
  if (target === "off") return { log: pino({ enabled: false }), [Symbol.asyncDispose]: async () => {} };

  const isFile = target !== "stdout";
  if (isFile) {
    makeFile(target);
    rotate(target);
  }
  const stream = destination({ dest: isFile ? target : 1, sync: false, minLength: 4096, mode: 0o600, mkdir: true });
  // A full disk must not end the service; the line is lost, the request is not.
  stream.on("error", () => {});
  const isOpen = new Promise<boolean>((resolve) => {
    stream.once("ready", () => resolve(true));
    stream.once("error", () => resolve(false));
  });
  let isClosed = false;
  // A connection that ends after the service still has its line; a closed stream would throw it into nobody's hands.
  const lines = {
    write(line: string) {
      if (!isClosed) stream.write(line);
    },
  };
  const timer = setInterval(() => {
    stream.flush();
    if (isFile && rotate(target)) stream.reopen();
  }, 1000);
  timer.unref();

  return {
    log: pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, lines),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      isClosed = true;
      // A start that fails at once comes here before the file is open, and flushing it would hide the reason.
      if (await isOpen) stream.flushSync();
      stream.end();
    },
  };
}

/** Here, where it stops the start: the stream would lose every line in silence. */
function makeFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw new ConfigError(
      `The log ${file} cannot be written (${String(error)}). Choose another with GREENLIT_LOG: a file, stdout or off.`,
    );
  }
}

function rotate(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < rotateBytes) return false;
  renameSync(file, `${file}.1`);
  return true;
}
