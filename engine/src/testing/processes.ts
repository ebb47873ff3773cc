import { readdirSync, readFileSync } from "node:fs";

/** All processes that descend from one, read from /proc. */
export function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = readParent(Number(name));
    if (parent !== null) parents.set(Number(name), parent);
  }
  const found = new Set<number>([pid]);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const [child, parent] of parents) if (found.has(parent)) found.add(child);
  }
  found.delete(pid);
  return [...found];
}

/** A process that has ended but was not collected yet no longer runs. */
export function isRunning(pid: number): boolean {
  return readParent(pid) !== null;
}

/** What it was started with; empty when it has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** The program that it runs now. */
export function nameOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trimEnd();
  } catch {
    return null;
  }
}

function readParent(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? null : Number(parent);
  } catch {
    return null;
  }
}
