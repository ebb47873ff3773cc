import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { readLines } from "../jail/lines.ts";
import { workerArguments } from "../jail/worker-code.ts";
import type { Measurements } from "../measurements.ts";
import type { Context, Sidekick } from "../sidekick.ts";
import type { KeptJudgement } from "./judge-kept.ts";
import type { Rewording } from "./reword.ts";

export type JudgeSetup = { sidekicks: readonly Sidekick[] };

export type JudgementRequest = {
  /** Null: all packs of the pool. */
  sidekickIds: readonly string[] | null;
  /** Left out: all rules of them. */
  ruleCodes?: readonly string[];
  context: Context;
  today: string;
  wantsMeasurements?: boolean;
  /** As if these words were others. */
  rewording?: Rewording;
};

export type JudgeTask = { taskId: number; evidence: string; judgements: readonly JudgementRequest[] };

export type JudgementResult = KeptJudgement & {
  measurements: Measurements | null;
  /** False: there was nothing to reword, or the words are nowhere in the evidence. */
  isReworded: boolean;
};

export type JudgeAnswer = { taskId: number; results: JudgementResult[] } | { taskId: number; error: string };

/** Judges kept evidence, one asset in several contexts at once. */
export type JudgePool = {
  judge(evidence: Uint8Array, judgements: readonly JudgementRequest[]): Promise<JudgementResult[]>;
} & AsyncDisposable;

type Waiting = { task: JudgeTask; resolve: (results: JudgementResult[]) => void; reject: (error: Error) => void };
/** `tasks`: the first is at work. */
type Member = { tasks: Waiting[]; send: (task: JudgeTask) => void; end: () => Promise<void> };

const program = fileURLToPath(new URL("./judge-program.ts", import.meta.url));
const maxAnswerBytes = 256 * 2 ** 20;

/**
 * Processes that judge, started when there is work and ended when there was none for a while. Not in this process: the
 * patterns of a rule may run for seconds. They read no file, only evidence that a jailed child made of one.
 */
export function openJudgePool(options: {
  sidekicks: readonly Sidekick[];
  size: number;
  /** How long one asset may take. */
  timeoutSeconds?: number;
  idleSeconds?: number;
}): JudgePool {
  const { sidekicks, size, timeoutSeconds = 120, idleSeconds = 60 } = options;
  const members = new Set<Member>();
  const queue: Waiting[] = [];
  let taskId = 0;
  let isClosed = false;

  function start(): Member {
    const node = workerArguments({ heapBytes: 1024 * 2 ** 20 });
    const child = spawn(process.execPath, [...node, program], {
      stdio: ["pipe", "ignore", "inherit", "pipe"],
      env: { PATH: process.env["PATH"] ?? "" },
    });
    let timer: NodeJS.Timeout | undefined;
    let reason = "ended unexpectedly";
    const gone = Promise.withResolvers<void>();
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reason = `took more than ${timeoutSeconds} s`;
        child.kill("SIGKILL");
      }, timeoutSeconds * 1000);
    };
    const member: Member = {
      tasks: [],
      send(task) {
        if (member.tasks.length === 1) watch();
        child.stdin?.write(`${JSON.stringify(task)}\n`);
      },
      async end() {
        child.kill("SIGKILL");
        await gone.promise;
      },
    };
    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        // First, so that nobody hands it a task while it goes.
        members.delete(member);
        child.kill("SIGKILL");
      }, idleSeconds * 1000);
    };
    child.stdin?.on("error", () => undefined);
    child.stdin?.write(`${JSON.stringify({ sidekicks } satisfies JudgeSetup)}\n`);
    child.on("error", (error) => (reason = error.message));
    child.on("close", () => {
      clearTimeout(timer);
      members.delete(member);
      const [current, ...untouched] = member.tasks.splice(0);
      current?.reject(new Error(`Judging kept evidence failed: the process ${reason}.`));
      if (isClosed) for (const { reject } of untouched) reject(closed());
      else queue.unshift(...untouched);
      gone.resolve();
      next();
    });
    const listen = async () => {
      for await (const line of readLines(child.stdio[3] as Readable, maxAnswerBytes)) {
        const answer = JSON.parse(line) as JudgeAnswer;
        const waiting = member.tasks.shift();
        if ("error" in answer) waiting?.reject(new Error(answer.error));
        else waiting?.resolve(answer.results);
        if (member.tasks.length > 0) watch();
        next();
        if (member.tasks.length === 0) rest();
      }
    };
    listen().catch(() => child.kill("SIGKILL"));
    members.add(member);
    return member;
  }

  function next(): void {
    if (isClosed) return;
    while (queue.length > 0) {
      const free = [...members].find(({ tasks }) => tasks.length === 0);
      const member = free ?? (members.size < size ? start() : memberWithRoom());
      const waiting = member && queue.shift();
      if (member === undefined || waiting === undefined) return;
      member.tasks.push(waiting);
      member.send(waiting.task);
    }
  }

  /** Among many, the next is handed over before the last is done: nobody waits for us. A single one never waits behind another. */
  function memberWithRoom(): Member | undefined {
    return queue.length > size ? [...members].find(({ tasks }) => tasks.length < 2) : undefined;
  }

  return {
    judge(evidence, judgements) {
      if (isClosed) return Promise.reject(closed());
      const { promise, resolve, reject } = Promise.withResolvers<JudgementResult[]>();
      const encoded = Buffer.from(evidence.buffer, evidence.byteOffset, evidence.byteLength).toString("base64");
      queue.push({ task: { taskId: ++taskId, evidence: encoded, judgements }, resolve, reject });
      next();
      return promise;
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      for (const { reject } of queue.splice(0)) reject(closed());
      await Promise.all([...members].map((member) => member.end()));
    },
  };
}

function closed(): Error {
  return new Error("The judges are closed.");
}
