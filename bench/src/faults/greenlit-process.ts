import { spawn, type ChildProcess } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "@greenlit/engine/testing/until.ts";
import type { Random } from "../fuzz/random.ts";

export type GreenlitProcess = {
  name: string;
  isUp(): boolean;
  /** How often it was started, the first time included. */
  starts(): number;
  /** Kills it, once it is up, or one of the programs that it started, without a word. It comes back by itself. */
  kill(random: Random): Promise<string>;
  /** Kills one of the programs that it started: a model, a decoder, an analysis. Undefined when there is none. */
  killChild(random: Random): Promise<string | undefined>;
  /** As a deployment does it: SIGTERM, what runs is finished or handed back, and a new one comes up. */
  drain(): Promise<void>;
  /** Ends it without a word, until it is resumed. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
};

const thisRepository = fileURLToPath(new URL("../../..", import.meta.url));
const shortLifeMs = 5000;
const pauseMs = 1000;
/** Of many starts: one that is killed, or finds no PostgreSQL, is followed by the next. */
const startPatienceSeconds = 900;

/** `greenlit serve` as an operator starts it, and starts again whenever it ends. */
export async function keepRunning(options: {
  name: string;
  role: "all" | "api" | "worker";
  env: Record<string, string>;
  /** The repository of another release, whose program is run. */
  repository?: string;
  /** Its words about a start that failed are expected, and not printed. */
  isQuiet?: boolean;
}): Promise<GreenlitProcess> {
  let isStopped = false;
  let isUp = false;
  let starts = 0;
  let again: NodeJS.Timeout | undefined;
  const program = join(options.repository || thisRepository, "cli/bin/greenlit.js");
  let child = start();

  function start(): ChildProcess {
    starts += 1;
    const startedAt = performance.now();
    const next = spawn(process.execPath, [program, "serve", "--role", options.role, "--json"], {
      env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...options.env },
      stdio: ["ignore", "pipe", options.isQuiet ? "ignore" : "inherit"],
    });
    let printed = "";
    next.stdout?.on("data", (bytes: Buffer) => {
      printed = (printed + bytes.toString()).slice(-100_000);
      isUp ||= printed.includes('"dataFolder"');
    });
    next.once("exit", () => {
      isUp = false;
      // As a service manager does it: what cannot start is not tried again at once.
      const isShort = performance.now() - startedAt < shortLifeMs;
      if (!isStopped) again = setTimeout(() => (child = start()), isShort ? pauseMs : 0);
    });
    return next;
  }

  const whenUp = () => until(() => isUp, { patienceSeconds: startPatienceSeconds });
  const killOne = async (random: Random) => {
    const family = await descendants(child.pid ?? 0);
    if (family.length === 0) return undefined;
    const victim = random.pick(family);
    endHard(victim.pid);
    return victim.program;
  };
  await whenUp();
  return {
    name: options.name,
    isUp: () => isUp,
    starts: () => starts,
    killChild: killOne,
    async kill(random) {
      const ended = random.percent(40) ? await killOne(random) : undefined;
      if (ended !== undefined) return ended;
      await whenUp();
      const victim = child;
      endHard(victim.pid ?? 0);
      await whenEnded(victim);
      return options.name;
    },
    async drain() {
      await whenUp();
      const former = child;
      former.kill("SIGTERM");
      await whenEnded(former);
      await whenUp();
    },
    async pause() {
      isStopped = true;
      clearTimeout(again);
      endHard(child.pid ?? 0);
      await whenEnded(child);
    },
    resume() {
      isStopped = false;
      child = start();
    },
    async stop() {
      isStopped = true;
      clearTimeout(again);
      child.kill("SIGTERM");
      await whenEnded(child);
    },
  };
}

export function endHard(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself just now.
  }
}

async function whenEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once("exit", resolve));
}

/** Those that work in this folder, as every process of a PostgreSQL does. */
export async function processesIn(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir("/proc")).map(Number).filter(Number.isInteger))
    if ((await readlink(`/proc/${pid}/cwd`).catch(() => "")) === folder) found.push(pid);
  return found;
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
    found.push({ pid, program: await nameOf(pid, /^Name:\s*(\S+)/m.exec(status)?.[1] ?? "") });
  }
  return found;
}

/** Node's own name says nothing: its script does. */
async function nameOf(pid: number, name: string): Promise<string> {
  const words = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  const script = words.findLast((word) => /\.[jt]s$/.test(word));
  return script === undefined ? name : basename(script);
}
