import { spawn, type StdioOptions } from "node:child_process";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { accessSync, constants } from "node:fs";
import { constants as system } from "node:os";
import { delimiter, join } from "node:path";
import type { Duplex, Readable } from "node:stream";
import { buildJailCommand, inputPathInside, jailEnvironment } from "./jail-command.ts";
import type { JailKind, JailLimits, JailTools } from "./jail-command.ts";
import { probePath, workerArguments, workerPaths } from "./worker-code.ts";

export type Jail = {
  kind: JailKind;
  tools: JailTools;
  dropsUser: boolean;
  /** The child has no network. */
  isolatesNetwork: boolean;
  /** The child sees no file but its input and programs. */
  isolatesFiles: boolean;
  /** For the start banner. */
  description: string;
};

export type JailedProcess = {
  /** The child's output on that descriptor, 1 or one of the extra pipes from 3 up. */
  pipe: (descriptor: number) => Readable;
  /** An extra pipe that is also written to: each of them goes both ways. */
  duplex: (descriptor: number) => Duplex;
  /** Never rejects. */
  ended: Promise<JailExit>;
  kill: () => void;
};

export type JailExit = {
  code: number | null;
  /** What killed the program, also where a jail around it lived on to report it. */
  signal: NodeJS.Signals | null;
  /** The last of what the child said on stderr: for logs and for telling one failure from another. */
  stderr: string;
  reason: "exited" | "timeout" | "aborted";
};

const stderrKeptBytes = 64 * 1024;

let found: Promise<Jail> | undefined;

/** The strongest jail that works here, tried out once. */
export function findJail(): Promise<Jail> {
  found ??= tryJails();
  return found;
}

/** Takes over what another process of ours found, so that the child of one file does not try every jail again. */
export function rememberJail(jail: Jail): void {
  found = Promise.resolve(jail);
}

/** For a process that is in a jail itself, where another cannot be made. */
export function forbidJails(): void {
  found = Promise.reject(new Error("There is no jail inside a jail."));
  found.catch(() => undefined);
}

/**
 * Starts a program that reads one foreign file, or none. Pipes 3 and up are made for `extraPipes`. Reading a pipe late holds the
 * child back; not reading it at all stops it for ever.
 */
export async function spawnJailed(options: {
  program: string;
  /** Called with where the file is seen inside. */
  args: (inputPath: string) => string[];
  inputFile: string | null;
  visiblePaths?: readonly string[];
  extraPipes?: number;
  /**
   * A new file that the child may write, seen inside as `outputPathInside`, up to `limits.fileBytes`: for formats that
   * cannot be written to a pipe. It takes descriptor 3; the extra pipes follow.
   */
  outputFile?: string | undefined;
  limits: JailLimits;
  /** Seen inside besides what every child sees; only in jails that isolate files. */
  environment?: Readonly<Record<string, string>>;
  /** Null: until it is killed. */
  timeoutSeconds: number | null;
  signal?: AbortSignal | undefined;
  /** Tests choose one; otherwise the one that was found. */
  jail?: Jail | undefined;
}): Promise<JailedProcess> {
  options.signal?.throwIfAborted();
  const jail = options.jail ?? (await findJail());
  const inputFile = options.inputFile === null ? null : await realpath(options.inputFile);
  const isBubblewrap = jail.kind.startsWith("bubblewrap");
  // nobody cannot read a private file even where it is visible; then the child stays us, without capabilities.
  const dropUser = jail.dropsUser && (inputFile === null || ((await stat(inputFile)).mode & 0o004) !== 0);
  // Outside bubblewrap nobody may lack the right to walk to the file, but not to open what is already open.
  const inherited = inputFile !== null && !isBubblewrap && dropUser ? await open(inputFile, "r") : null;
  const inside = inputFile === null ? "" : placeInside(inputFile, { isBubblewrap, isInherited: inherited !== null });

  const [program = options.program, ...args] = buildJailCommand({
    kind: jail.kind,
    tools: jail.tools,
    dropUser,
    program: options.program,
    args: options.args(inside),
    limits: options.limits,
    visiblePaths: options.visiblePaths ?? [],
    inputPath: inputFile,
    environment: options.environment,
  });
  const output = options.outputFile === undefined ? null : await openOutput(options.outputFile);
  return start({ program, args, inherited, output, ...pick(options) });
}

/** Anybody may open it by its descriptor, as a child that has become nobody must; the folder around it is ours alone. */
async function openOutput(file: string): Promise<FileHandle> {
  const output = await open(file, "wx+", 0o600);
  await output.chmod(0o666);
  return output;
}

type StartOptions = { extraPipes: number; timeoutSeconds: number | null; signal: AbortSignal | undefined };

function pick(options: {
  extraPipes?: number;
  timeoutSeconds: number | null;
  signal?: AbortSignal | undefined;
}): StartOptions {
  return { extraPipes: options.extraPipes ?? 0, timeoutSeconds: options.timeoutSeconds, signal: options.signal };
}

async function start(
  options: StartOptions & { program: string; args: string[]; inherited: FileHandle | null; output: FileHandle | null },
): Promise<JailedProcess> {
  const { inherited, output, signal } = options;
  const pipes: "pipe"[] = Array.from({ length: options.extraPipes }, () => "pipe");
  const stdio: StdioOptions = [
    inherited?.fd ?? "ignore",
    "pipe",
    "pipe",
    ...(output === null ? [] : [output.fd]),
    ...pipes,
  ];
  // Not detached: the child stays in our process group, so that one signal to the group of the analysis ends it too.
  const child = spawn(options.program, options.args, { stdio, env: jailEnvironment, cwd: "/" });
  await inherited?.close();
  await output?.close();

  let reason: JailExit["reason"] = "exited";
  const kill = (why: JailExit["reason"]) => {
    if (reason === "exited") reason = why;
    child.kill("SIGKILL");
  };
  const { timeoutSeconds } = options;
  const timer = timeoutSeconds === null ? undefined : setTimeout(() => kill("timeout"), timeoutSeconds * 1000);
  const onAbort = () => kill("aborted");
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();

  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-stderrKeptBytes);
  });
  const ended = new Promise<JailExit>((resolve) => {
    const finish = (code: number | null, exitSignal: NodeJS.Signals | null) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve({ code, signal: exitSignal ?? reportedSignal(code, stderr), stderr, reason });
    };
    child.on("error", (error) => {
      stderr += `${options.program}: ${error.message}`;
      finish(null, null);
    });
    // The reader of the pipes may be gone: after a kill nobody waits for them to be emptied.
    child.on("exit", (code, exitSignal) => {
      if (reason === "exited") return;
      for (const stream of child.stdio) stream?.destroy();
      finish(code, exitSignal);
    });
    child.on("close", finish);
  });
  return {
    pipe: (descriptor) => readableOf(child.stdio[descriptor]),
    duplex: (descriptor) => duplexOf(child.stdio[descriptor]),
    ended,
    kill: () => kill("aborted"),
  };
}

/**
 * The signal that killed the program inside a jail that stays around it. bubblewrap ends with 128 plus its number. unshare
 * kills itself in the same way, but that of util-linux 2.38 fails to do so with SIGKILL and ends with 1 and this line.
 */
function reportedSignal(code: number | null, stderr: string): NodeJS.Signals | null {
  if (code === 1 && /^unshare: sigprocmask unblock failed/m.test(stderr)) return "SIGKILL";
  const found = Object.entries(system.signals).find(([, number]) => code === 128 + number);
  return found === undefined ? null : (found[0] as NodeJS.Signals);
}

function placeInside(file: string, how: { isBubblewrap: boolean; isInherited: boolean }): string {
  if (how.isBubblewrap) return inputPathInside;
  return how.isInherited ? "/proc/self/fd/0" : file;
}

function readableOf(stream: unknown): Readable {
  if (typeof stream === "object" && stream !== null && "read" in stream) return stream as Readable;
  throw new Error("The child has no such pipe.");
}

function duplexOf(stream: unknown): Duplex {
  const readable = readableOf(stream);
  if ("write" in readable) return readable as Duplex;
  throw new Error("The child's pipe cannot be written to.");
}

/** Every jail that works here, the strongest first. */
export async function* workingJails(): AsyncGenerator<Jail> {
  const tools: JailTools = {
    bwrap: findProgram("bwrap"),
    unshare: findProgram("unshare"),
    setpriv: findProgram("setpriv"),
    prlimit: findProgram("prlimit"),
  };
  const isRoot = process.getuid?.() === 0;
  const kinds: JailKind[] = ["bubblewrap", "bubblewrap-user", "unshare", "unshare-user", "plain"];
  for (const kind of kinds) {
    if ((kind === "bubblewrap" || kind === "unshare") && !isRoot) continue;
    if (kind.startsWith("bubblewrap") && tools.bwrap === null) continue;
    if (kind.startsWith("unshare") && tools.unshare === null) continue;
    const canDrop = isRoot && tools.setpriv !== null && !kind.endsWith("-user");
    for (const dropsUser of canDrop ? [true, false] : [false]) {
      const jail = describeJail({ kind, tools, dropsUser });
      if (!(await works(jail))) continue;
      yield jail;
      break;
    }
  }
}

async function tryJails(): Promise<Jail> {
  for await (const jail of workingJails()) return jail;
  // Not even a plain child ran our probe, e.g. because a limit is refused here: the tools are to blame.
  const tools: JailTools = { bwrap: null, unshare: null, setpriv: null, prlimit: null };
  return describeJail({ kind: "plain", tools, dropsUser: false });
}

/** Runs our own code in it: a jail that hides Node or the engine's files is of no use. */
async function works(jail: Jail): Promise<boolean> {
  const args = [...workerArguments({ heapBytes: 64 * 2 ** 20 }), probePath];
  return runsIn({ jail, program: process.execPath, args, visiblePaths: await workerPaths(), inputFile: probePath });
}

/** Whether a program starts at all in the jail that was found. */
export function jailRuns(options: { program: string; args: string[]; visiblePaths: string[] }): Promise<boolean> {
  return runsIn({ ...options, inputFile: null });
}

async function runsIn(options: {
  jail?: Jail;
  program: string;
  args: string[];
  visiblePaths: string[];
  inputFile: string | null;
}): Promise<boolean> {
  try {
    const child = await spawnJailed({
      ...options,
      args: (inputPath) => (inputPath === "" ? options.args : [...options.args, inputPath]),
      limits: { dataBytes: 2 ** 30, cpuSeconds: 10 },
      timeoutSeconds: 10,
    });
    child.pipe(1).resume();
    return (await child.ended).code === 0;
  } catch {
    return false;
  }
}

function describeJail(jail: Pick<Jail, "kind" | "tools" | "dropsUser">): Jail {
  const isolatesFiles = jail.kind.startsWith("bubblewrap");
  const isolatesNetwork = jail.kind !== "plain";
  const isolation = isolatesFiles
    ? "bubblewrap: no network, and no files but the one that is analysed"
    : isolatesNetwork
      ? "unshare: no network, but the files of this machine stay visible (install bubblewrap to hide them)"
      : "a plain child process: network and files stay within reach (install bubblewrap)";
  const limits = jail.tools.prlimit === null ? "; no limits on memory and CPU (prlimit is missing)" : "";
  const user = jail.dropsUser ? "; as nobody" : "";
  return { ...jail, isolatesFiles, isolatesNetwork, description: isolation + user + limits };
}

/** The first executable of that name in PATH. */
export function findProgram(name: string): string | null {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, name);
    if (folder.startsWith("/") && isExecutable(path)) return path;
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
