import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { realpath } from "node:fs/promises";
import { promisify } from "node:util";
import { findProgram, jailRuns } from "../../jail/jail.ts";

/** What decodes sound and moving pictures here. */
export type Decoder =
  | { kind: "ffmpeg"; programs: FfmpegPrograms; description: string }
  | { kind: "node-av"; description: string }
  | { kind: "none"; description: string };

export type FfmpegPrograms = { ffmpeg: string; ffprobe: string; visiblePaths: string[] };

let found: Promise<Decoder> | undefined;

/** The system's ffmpeg from 5.1 on, else the node-av package, else nothing. Looked for once. */
export function findDecoder(): Promise<Decoder> {
  found ??= findFfmpeg().then((ffmpeg) => ffmpeg ?? findNodeAv());
  return found;
}

/** Takes over what another process of ours found. */
export function rememberDecoder(decoder: Decoder): void {
  found = Promise.resolve(decoder);
}

export async function findFfmpeg(): Promise<Decoder | null> {
  const ffmpeg = findProgram("ffmpeg");
  const ffprobe = findProgram("ffprobe");
  if (ffmpeg === null || ffprobe === null) return null;
  const version = await readVersion(ffmpeg);
  if (version === null || !isNewEnough(version)) return null;
  const visiblePaths = await visibleParts([ffmpeg, ffprobe]);
  const programs = { ffmpeg, ffprobe, visiblePaths };
  // An ffmpeg whose libraries lie where the jail hides them is of no use.
  if (!(await jailRuns({ program: ffprobe, args: ["-version"], visiblePaths }))) return null;
  return { kind: "ffmpeg", programs, description: `ffmpeg ${version}` };
}

export function findNodeAv(): Decoder {
  try {
    // Resolved, not loaded: its native library stays out of this process.
    createRequire(import.meta.url).resolve("node-av");
    return { kind: "node-av", description: "node-av (no ffmpeg ≥ 5.1 found)" };
  } catch {
    return { kind: "none", description: "none: install ffmpeg ≥ 5.1 or the optional package node-av" };
  }
}

async function readVersion(ffmpeg: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(ffmpeg, ["-version"], { env: {}, timeout: 10_000 });
    return /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** "5.1.9-0+deb12u1", "n7.1"; builds from git ("N-120000-g…") carry no number and are taken as new. */
export function isNewEnough(version: string): boolean {
  const numbers = /^n?(\d+)\.(\d+)/.exec(version);
  if (numbers === null) return /^(N-|git-|20\d\d-)/.test(version);
  const [major, minor] = [Number(numbers[1]), Number(numbers[2])];
  return major > 5 || (major === 5 && minor >= 1);
}

/** Programs outside the system's folders, e.g. a static build in a home folder. */
async function visibleParts(programs: string[]): Promise<string[]> {
  const real = await Promise.all(programs.map((program) => realpath(program)));
  return [...new Set([...programs, ...real])].filter((path) => !/^\/(usr|bin|lib)\//.test(path));
}
