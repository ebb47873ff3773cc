import { readFileSync, writeFileSync } from "node:fs";

/** The most memory that the process had resident since `forgetPeak`; NaN where the kernel does not say. */
export function peakBytesOf(pid: number): number {
  const status = readIfThere(`/proc/${pid}/status`);
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}

export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Without it the peak is that of the whole run, which is no better than the one asked for.
  }
}

/** What the process has computed so far, in itself and in the kernel; NaN where the kernel does not say. */
export function cpuSecondsOf(pid: number): number {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // After the name, which may hold spaces: the 12th and 13th field, in ticks of which Linux has 100 a second.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? Number.NaN) + Number(fields[12] ?? Number.NaN)) / 100;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
