import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { postgresUser } from "../data-folder.ts";
import { EmbeddedPostgresFailed } from "./embedded-postgres-failed.ts";

export type PostgresProcess = {
  /** Resolves with the server's last words when it ends, asked or not. */
  ended: Promise<string>;
  stop(): Promise<void>;
};

/**
 * Runs the server until it accepts connections. It has a session of its own, so that Ctrl-C reaches only us and it
 * outlives our draining.
 */
export async function runServer(options: {
  program: string;
  args: string[];
  logFile: string;
}): Promise<PostgresProcess | { failed: string }> {
  const child = spawn("/bin/sh", ["-c", watchdog, "greenlit-postgres", options.program, ...options.args], {
    cwd: "/",
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
    detached: true,
    stdio: ["pipe", "ignore", "pipe"],
    ...postgresUser(),
  });
  const log = openLog(options.logFile);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    // Not "exit": the last lines of the log are still on their way then.
    child.once("close", (code, signal) => resolve(`${signal ?? `exit code ${code}`}\n${log.close()}`));
  });
  const ready = new Promise<"ready">((resolve) => {
    child.stderr.on("data", (chunk: Buffer) => {
      log.write(chunk);
      if (log.tail().includes("database system is ready to accept connections")) resolve("ready");
    });
  });
  // Writing to a watchdog that is gone would otherwise end our process.
  child.stdin.on("error", () => {});

  const stop = async () => {
    child.stdin.end();
    if (await endsWithin(ended, fastShutdownSeconds)) return;
    // Immediate shutdown loses no committed row: the next start replays the log.
    signalGroup(child.pid, "SIGQUIT");
    if (await endsWithin(ended, 5)) return;
    signalGroup(child.pid, "SIGKILL");
    await endsWithin(ended, 5);
  };

  const outcome = await Promise.race([ready, ended, sleep(startSeconds * 1000, "late" as const, { ref: false })]);
  if (outcome === "ready") return { ended, stop };
  if (outcome !== "late") return { failed: outcome };
  await stop();
  return { failed: `not ready after ${startSeconds} seconds\n${log.tail()}` };
}

/**
 * Waits for the server of a killed Greenlit to end, and ends it when nothing else does. To be called by the holder of
 * the data folder only, whose claim says that nobody needs that server any more.
 */
export async function endLeftoverServer(cluster: string): Promise<void> {
  const pidFile = join(cluster, "postmaster.pid");
  const started = Date.now();
  for (;;) {
    const note = readIfThere(pidFile);
    const processes = serverProcesses(cluster);
    if (processes.length === 0) {
      // After a restart of the machine or container the number in it may be another process's, and PostgreSQL would
      // not start. A note that has just been written is a server's that was hardly there when we looked.
      if (note === readIfThere(pidFile)) rmSync(pidFile, { force: true });
      return;
    }
    const elapsedSeconds = (Date.now() - started) / 1000;
    if (elapsedSeconds > fastShutdownSeconds + 10) {
      throw new EmbeddedPostgresFailed(
        `A former PostgreSQL still uses ${cluster} and does not end (process ${processes.join(", ")}).`,
      );
    }
    const postmaster = Number.parseInt(note, 10);
    const signal = elapsedSeconds > fastShutdownSeconds ? "SIGQUIT" : "SIGINT";
    if (processes.includes(postmaster)) signalIfThere(postmaster, signal);
    await sleep(25);
  }
}

const startSeconds = 300;
const fastShutdownSeconds = 15;

// Ends the server when our end of the pipe closes, so also when we are killed. It asks again and again, because a
// server that has only just been started does not listen to signals yet; and it ignores what a terminal or a service
// manager sends to every process, because without it the server would outlive us.
const watchdog = `
exec 3<&0
"$@" 3<&- &
server=$!
trap "" HUP INT TERM
{
  read -r _ <&3
  seconds=0
  while [ "$seconds" -lt 60 ] && kill -INT "$server"; do sleep 1; seconds=$((seconds + 1)); done
} >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill -KILL "$watcher"
exit "$status"
`;

async function endsWithin(ended: Promise<string>, seconds: number): Promise<boolean> {
  const timeout = new AbortController();
  const late = sleep(seconds * 1000, false, { signal: timeout.signal }).catch(() => false);
  const inTime = await Promise.race([ended.then(() => true), late]);
  timeout.abort();
  return inTime;
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader !== undefined) signalIfThere(-leader, signal);
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Every process of a server works in its cluster's folder; a number alone could belong to anything by now. */
function serverProcesses(cluster: string): number[] {
  if (process.platform === "linux") {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && readIfThere(`/proc/${name}/comm`) === "postgres\n")
      .filter((name) => folderOf(name) === cluster)
      .map(Number);
  }
  const { stdout } = spawnSync("ps", ["-axww", "-o", "pid=,command="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .filter((line) => line.includes(`/postgres -D ${cluster} `))
    .map((line) => Number.parseInt(line, 10));
}

function folderOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

const logLimitBytes = 5_000_000;

/** Keeps the newest lines in two files of at most `logLimitBytes` each. */
function openLog(path: string) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let file = openSync(path, "a", 0o600);
  let sizeBytes = fstatSync(file).size;
  let tail = "";

  function rotate(): void {
    renameSync(path, `${path}.1`);
    const former = file;
    file = openSync(path, "a", 0o600);
    sizeBytes = 0;
    closeSync(former);
  }

  return {
    tail: () => tail,
    write(chunk: Buffer): void {
      tail = (tail + chunk.toString("utf8")).slice(-4000);
      try {
        if (sizeBytes > logLimitBytes) rotate();
        sizeBytes += writeSync(file, chunk);
      } catch {
        // A full disk must not end the service for the sake of its log.
      }
    },
    close(): string {
      closeSync(file);
      return tail.trim().split("\n").slice(-10).join("\n");
    },
  };
}
