import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** How a child is walled in. */
export type JailKind =
  | "bubblewrap" // own mounts, processes, network; built by root, who then becomes nobody inside
  | "bubblewrap-user" // the same by way of a user namespace
  | "unshare" // own network and processes, built by root
  | "unshare-user" // the same by way of a user namespace
  | "plain";

export type JailTools = {
  bwrap: string | null;
  unshare: string | null;
  setpriv: string | null;
  prlimit: string | null;
};

export type JailLimits = {
  /** Address space. Not for Node: V8 and WebAssembly reserve far more than they use. */
  addressSpaceBytes?: number;
  /** Private writable memory: the limit that fits Node. */
  dataBytes?: number;
  /** Left out only for a process that serves many files and has a time limit on each request. */
  cpuSeconds?: number;
  openFiles?: number;
  /** What it may write into its output file; nothing otherwise. */
  fileBytes?: number;
};

export type JailCommand = {
  kind: JailKind;
  tools: JailTools;
  /** Become nobody: only possible when we are root. */
  dropUser: boolean;
  program: string;
  args: readonly string[];
  limits: JailLimits;
  /** What must be readable inside, besides the system's own folders. Everything else does not exist there. */
  visiblePaths: readonly string[];
  /** The one foreign file: seen inside as `inputPathInside`. */
  inputPath: string | null;
  /** Besides `jailEnvironment`; only bubblewrap passes it on. */
  environment?: Readonly<Record<string, string>> | undefined;
};

export const inputPathInside = "/input";
export const outputPathInside = "/proc/self/fd/3";

const nobody = "65534";

/** What the child sees of our environment: nothing. */
export const jailEnvironment = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  LANG: "C.UTF-8",
  HOME: "/tmp",
  TMPDIR: "/tmp",
  // Without it, and without /etc/localtime, the first date compares a file with every time zone that is installed.
  TZ: "UTC",
};

/** The whole command line, outermost isolation first. */
export function buildJailCommand(command: JailCommand): string[] {
  return [...isolation(command), ...privileges(command), ...limits(command), command.program, ...command.args];
}

function isolation(command: JailCommand): string[] {
  const { bwrap, unshare } = command.tools;
  const asUser = command.kind.endsWith("-user");
  if (command.kind.startsWith("bubblewrap") && bwrap !== null) return bubblewrap(bwrap, command, asUser);
  if (command.kind.startsWith("unshare") && unshare !== null) {
    const mapped = asUser ? ["--map-root-user"] : [];
    return [unshare, ...mapped, "--net", "--ipc", "--pid", "--fork", "--kill-child=SIGKILL", "--"];
  }
  return [];
}

function bubblewrap(bwrap: string, command: JailCommand, asUser: boolean): string[] {
  const spaces = asUser
    ? ["--unshare-all"]
    : ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"];
  // Root keeps for a moment what setpriv needs to become nobody; setpriv then gives up these three too.
  const needed = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"];
  const capabilities = ["--cap-drop", "ALL", ...(asUser ? [] : needed.flatMap((name) => ["--cap-add", name]))];
  return [
    bwrap,
    ...spaces,
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    ...Object.entries({ ...jailEnvironment, ...command.environment }).flatMap(([name, value]) => [
      "--setenv",
      name,
      value,
    ]),
    ...capabilities,
    ...systemBinds(),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
    ...parentsOf(command.visiblePaths).flatMap((folder) => ["--dir", folder]),
    ...command.visiblePaths.flatMap((path) => ["--ro-bind", path, path]),
    ...(command.inputPath === null ? [] : ["--ro-bind", command.inputPath, inputPathInside]),
    "--chdir",
    "/",
    "--",
  ];
}

/** Outermost first. Folders that bubblewrap makes unasked are closed to everybody but root, so nobody gets stuck there. */
function parentsOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) folders.add(folder);
  }
  return [...folders].filter((folder) => !isInSystemFolder(folder)).toSorted((a, b) => a.length - b.length);
}

const systemFolders = ["/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/nix/store"];

function isInSystemFolder(path: string): boolean {
  return systemFolders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** Programs and libraries only. Of /etc just what the loader needs: the rest holds names, keys and passwords. */
function systemBinds(): string[] {
  const paths = [...systemFolders, "/etc/ld.so.cache", "/etc/alternatives"];
  return ["--dir", "/etc", ...paths.flatMap((path) => (existsSync(path) ? ["--ro-bind", path, path] : []))];
}

function privileges(command: JailCommand): string[] {
  const { setpriv } = command.tools;
  if (setpriv === null) return [];
  const user = command.dropUser ? ["--reuid", nobody, "--regid", nobody, "--clear-groups"] : [];
  // An unprivileged plain child has no capabilities to give up, and may not touch its bounding set.
  const isRootInside =
    command.kind !== "bubblewrap-user" && (command.kind === "unshare-user" || process.getuid?.() === 0);
  const capabilities = isRootInside ? ["--inh-caps=-all", "--bounding-set=-all"] : [];
  return [setpriv, ...user, "--no-new-privs", ...capabilities, "--pdeathsig", "KILL", "--"];
}

function limits(command: JailCommand): string[] {
  const { prlimit } = command.tools;
  if (prlimit === null) return [];
  const { addressSpaceBytes, dataBytes, cpuSeconds, openFiles = 64, fileBytes = 0 } = command.limits;
  return [
    prlimit,
    "--core=0",
    `--fsize=${Math.floor(fileBytes)}`,
    `--nofile=${openFiles}`,
    // The soft limit's SIGXCPU ends the child; one that ignores it is killed at the hard limit.
    ...(cpuSeconds === undefined ? [] : [`--cpu=${Math.ceil(cpuSeconds)}:${Math.ceil(cpuSeconds) + 5}`]),
    ...(addressSpaceBytes === undefined ? [] : [`--as=${Math.floor(addressSpaceBytes)}`]),
    ...(dataBytes === undefined ? [] : [`--data=${Math.floor(dataBytes)}`]),
    "--",
  ];
}
