import { spawn, type ChildProcess } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export type GreenlitProcess = {
  name: string;
  /** Kills it, or one of the programs that it started, without a word, and waits until the process itself is back. */
  kill(random: { percent(share: number): boolean; pick<T>(from: readonly T[]): T }): Promise<string>;
  /** As a deployment does it: SIGTERM, what runs is finished or handed back, and a new one comes up. */
  drain(): Promise<void>;
  stop(): Promise<void>;
};

const program = fileURLToPath(new URL("../../../cli/bin/greenlit.js", import.meta.url));

/** `greenlit serve` as an operator starts it, and starts again whenever it ends. */
export async function keepRunning(options: {
  name: string;
  role: "api" | "worker";
  env: Record<string, string>;
}): Promise<GreenlitProcess> {
  let isStopped = false;
  let started = start();
  function start(): { child: ChildProcess; up: Promise<void> } {
    const child = spawn(process.execPath, [program, "serve", "--role", options.role, "--json"], {
      env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...options.env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const up = new Promise<void>((resolve) => {
      let printed = "";
      child.stdout.on("data", (bytes: Buffer) => {
        printed = (printed + bytes.toString()).slice(-100_000);
        if (printed.includes('"dataFolder"')) resolve();
      });
      child.once("exit", () => {
        if (!isStopped) started = start();
        resolve();
      });
    });
    return { child, up };
  }
  await started.up;
  return {
    name: options.name,
    async kill(random) {
      const { child } = started;
      const family = random.percent(40) ? await descendants(child.pid ?? 0) : [];
      const victim = family.length > 0 ? random.pick(family) : { pid: child.pid ?? 0, program: options.name };
      try {
        process.kill(victim.pid, "SIGKILL");
      } catch {
        // It ended by itself just now.
      }
      if (victim.pid === child.pid) {
        await whenEnded(child);
        // The listener that starts it again came first.
        await started.up;
      }
      return victim.program;
    },
    async drain() {
      const { child } = started;
      const ended = whenEnded(child);
      child.kill("SIGTERM");
      await ended;
      await started.up;
    },
    async stop() {
      isStopped = true;
      const { child } = started;
      const ended = whenEnded(child);
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function whenEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once("exit", resolve));
}

async function descendants(root: number): Promise<{ pid: number; program: string }[]> {
  const family = new Set([root]);
  const found: { pid: number; program: string }[] = [];
  const pids = (await readdir("/proc"))
    .map(Number)
    .filter(Number.isInteger)
    .toSorted((a, b) => a - b);
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    if (!family.has(Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? -1))) continue;
    family.add(pid);
    found.push({ pid, program: /^Name:\s*(\S+)/m.exec(status)?.[1] ?? "" });
  }
  return found;
}
