import { statSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BuiltCode } from "../jail/built-code.ts";
import type { Ask } from "./calls.ts";
import { type ModelsProcess, type ModelsSetup, startModelsProcess } from "./models-process.ts";
import { createTurns } from "./turns.ts";

export type PoolLimits = {
  /** At most so many at once; one more stands in for each that may hang. */
  processes: number;
  /** After so many files, or when it holds so much memory, a fresh process takes over. */
  filesPerProcess: number;
  maxResidentBytes: number;
  /** So long without a call, and its memory is given back. */
  idleSeconds: number;
};

export type ModelsPool = AsyncDisposable & {
  /** Waits for a process that is free, and fails when the caller has gone by then. */
  askFor: (caller: Caller) => Ask;
};

/** `code`: what a process that is started for it runs. */
export type Caller = { isGone: boolean; code?: BuiltCode | undefined };

const closedMessage = "The models are closed.";
/** Most calls take less than a second, the longest about ten. */
const overdueSeconds = 15;
/** A model computes with two threads. */
const coresPerProcess = 2;
/** A pool for what is seen and one for what is heard together: all models loaded, and the largest picture in the making. */
const bytesPerPair = 800 * 2 ** 20;

/** Of each of the two pools: as many as the cores keep busy, in at most half of the memory. */
export function poolSize(machine: { cores: number; memoryBytes: number; weightsBytes: number }): number {
  const byCores = Math.ceil(machine.cores / coresPerProcess);
  const byMemory = Math.floor(machine.memoryBytes / 2 / (bytesPerPair + machine.weightsBytes));
  return Math.max(1, Math.min(byCores, byMemory));
}

/** A container may have less memory than its machine; an operator's own Whisper may take more than all other models. */
export function poolSizeHere({ whisperModel }: Pick<ModelsSetup, "whisperModel">): number {
  const constrained = process.constrainedMemory();
  return poolSize({
    cores: availableParallelism(),
    memoryBytes: constrained > 0 ? Math.min(constrained, totalmem()) : totalmem(),
    weightsBytes: whisperModel === null ? 0 : (statSync(whisperModel, { throwIfNoEntry: false })?.size ?? 0),
  });
}

type Member = { process: ModelsProcess; callers: Set<Caller>; idle: NodeJS.Timeout | undefined };

/** Starts nothing before the first call. A process that hangs, crashes or leaks costs only those whose calls it has. */
export function openModelsPool(setup: ModelsSetup, limits: PoolLimits): ModelsPool {
  const turns = createTurns({ atOnce: limits.processes, overdueMs: overdueSeconds * 1000, maxOverdue: 1 });
  /** Whose memory is the warmest comes last, so that those who are not needed grow old. */
  const free: Member[] = [];
  const busy = new Set<Member>();
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  async function takeProcess(caller: Caller): Promise<Member> {
    if (isClosed) throw new Error(closedMessage);
    // The end of a process that died while nobody asked is told in a later turn of the event loop.
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    for (let member = free.pop(); member !== undefined; member = free.pop()) {
      clearTimeout(member.idle);
      if (!isWorn(member, caller)) return keep(member, caller);
      await member.process.end();
    }
    const process = await startModelsProcess(setup, caller.code);
    return keep({ process, callers: new Set(), idle: undefined }, caller);
  }

  async function keep(member: Member, caller: Caller): Promise<Member> {
    if (isClosed) {
      await member.process.end();
      throw new Error(closedMessage);
    }
    member.callers.add(caller);
    busy.add(member);
    return member;
  }

  function isWorn({ process, callers }: Member, caller: Caller): boolean {
    const hasServedEnough = callers.size >= limits.filesPerProcess && !callers.has(caller);
    return process.hasEnded() || hasServedEnough || process.residentBytes() > limits.maxResidentBytes;
  }

  async function giveBack(member: Member): Promise<void> {
    busy.delete(member);
    // One too many: another stood in while this one seemed to hang.
    if (isClosed || member.process.hasEnded() || free.length >= limits.processes) {
      await member.process.end();
      return;
    }
    free.push(member);
    member.idle = setTimeout(() => {
      const place = free.indexOf(member);
      if (place !== -1) free.splice(place, 1);
      void member.process.end();
    }, limits.idleSeconds * 1000).unref();
  }

  async function whileUnderWay<Value>(work: Promise<Value>): Promise<Value> {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  }

  return {
    askFor: (caller) => (request) =>
      whileUnderWay(
        turns.take(caller, async () => {
          if (caller.isGone) throw new Error("Nobody waits for the answer any more.");
          const member = await takeProcess(caller);
          try {
            return await member.process.ask(request);
          } finally {
            await giveBack(member);
          }
        }),
      ),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const open = [...free.splice(0), ...busy];
      for (const { idle } of open) clearTimeout(idle);
      await Promise.all(open.map(({ process }) => process.end()));
      await Promise.allSettled(underWay);
    },
  };
}
