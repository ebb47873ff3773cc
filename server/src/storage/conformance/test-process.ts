import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

/** Reads on after the match, too: a full pipe would stop the process that writes to it. */
export async function firstMatch(output: Readable, pattern: RegExp): Promise<string | null> {
  let seen = "";
  return await new Promise((resolve) => {
    output.setEncoding("utf8").on("data", (text: string) => {
      seen = (seen + text).slice(-10_000);
      const match = pattern.exec(seen)?.[1];
      if (match !== undefined) resolve(match);
    });
    output.once("end", () => resolve(null));
  });
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  await ended;
}
