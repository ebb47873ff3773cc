import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

export type Measured = {
  wallSeconds: number;
  /** Of the process and everything that it started. */
  cpuSeconds: number;
  /** The most that all of them held at once, each shared page counted once (PSS) or once for each of them (RSS). */
  peakBytes: number;
  peakResidentBytes: number;
  /** Every sample of the former, in order. */
  memoryCurve: number[];
  /** CPU seconds by program. */
  cpuByProgram: Record<string, number>;
  stdout: string;
};

/** The kernel counts every page and halts the process meanwhile: every 50 ms that took a tenth of the time it measures. */
const sampleEveryMs = 250;

/**
 * Runs a program to its end and says what it and its children cost. One at a time: the CPU is that of all our children.
 * `isWatched`: not where the time counts, of which looking at the memory takes a twentieth.
 */
export async function measureProcess(
  program: string,
  args: string[],
  { isWatched = true }: { isWatched?: boolean } = {},
): Promise<Measured> {
  const cpuBefore = cpuOfChildren();
  const startedAt = performance.now();
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const exited = once(child, "exit") as Promise<[number | null, string | null]>;

  const memoryCurve: number[] = [];
  let peakResidentBytes = 0;
  const cpu = new Map<number, { name: string; seconds: number }>();
  const sample = () => {
    const family = descendantsOf(child.pid ?? 0);
    const memory = family.map(({ pid }) => memoryOf(pid));
    memoryCurve.push(sum(memory.map(({ pss }) => pss)));
    peakResidentBytes = Math.max(peakResidentBytes, sum(memory.map(({ rss }) => rss)));
    // One that has just ended has no command line any more.
    for (const { pid, name, seconds } of family)
      cpu.set(pid, { name: name === "node" ? (cpu.get(pid)?.name ?? name) : name, seconds });
  };
  const timer = isWatched ? setInterval(sample, sampleEveryMs) : undefined;
  const [code, signal] = await exited;
  clearInterval(timer);
  if (code !== 0) throw new Error(`${program} ${args[0] ?? ""} … ended with ${signal ?? code}`);
  const cpuByProgram: Record<string, number> = {};
  for (const { name, seconds } of cpu.values()) cpuByProgram[name] = (cpuByProgram[name] ?? 0) + seconds;
  return {
    wallSeconds: (performance.now() - startedAt) / 1000,
    // The kernel's own count is exact, but does not count what a jail ended without waiting for it.
    cpuSeconds: Math.max(cpuOfChildren() - cpuBefore, sum(Object.values(cpuByProgram))),
    peakBytes: memoryCurve.reduce((most, bytes) => Math.max(most, bytes), 0),
    peakResidentBytes,
    memoryCurve,
    cpuByProgram,
    stdout,
  };
}

type Relative = { pid: number; name: string; seconds: number };

function descendantsOf(root: number): Relative[] {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readStat(Number(name));
      return stat === null ? [] : [{ ...stat, pid: Number(name) }];
    });
  const family = new Set([root]);
  // A child has a higher number than its parent but for the rare turn of the counter, so a second look suffices.
  for (let look = 0; look < 2; look++) for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  return processes
    .filter(({ pid }) => family.has(pid))
    .map(({ pid, name, seconds }) => ({ pid, name: isNode(name) ? scriptOf(pid) : name, seconds }));
}

function readStat(pid: number): { name: string; parent: number; seconds: number; ofChildren: number } | null {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === "") return null;
  const end = stat.lastIndexOf(")");
  const fields = stat.slice(end + 2).split(" ");
  const ticks = (index: number) => Number(fields[index] ?? 0) / 100;
  return {
    name: stat.slice(stat.indexOf("(") + 1, end),
    parent: Number(fields[1]),
    seconds: ticks(11) + ticks(12),
    ofChildren: ticks(13) + ticks(14),
  };
}

/** Since Node 24 its main thread has a name of its own. */
function isNode(name: string): boolean {
  return name === "node" || name === "MainThread";
}

/** Which of our programs a Node runs. */
function scriptOf(pid: number): string {
  const words = readIfThere(`/proc/${pid}/cmdline`).split("\0");
  const script = words.find((word) => /\.(?:ts|mjs)$/.test(word));
  return script?.slice(script.lastIndexOf("/") + 1) ?? "node";
}

function memoryOf(pid: number): { pss: number; rss: number } {
  const text = readIfThere(`/proc/${pid}/smaps_rollup`);
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0) * 1024;
  return { pss: bytes("Pss"), rss: bytes("Rss") };
}

function cpuOfChildren(): number {
  return readStat(process.pid)?.ofChildren ?? Number.NaN;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
