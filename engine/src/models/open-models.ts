import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type AnswerHeader, type Ask, type CallHeader, describeError, modelsBy } from "./calls.ts";
import { requirePackages, type SpeechChoice } from "./find-models.ts";
import type { Models } from "./models.ts";
import { type ModelsProcess, startModelsProcess } from "./models-process.ts";
import { createTurns } from "./turns.ts";
import { readMessages, type WireMessage, writeMessage } from "./wire.ts";

/** The process that starts analyses owns the models, so that one process of theirs serves many files. */
export type ModelsOwner = Models &
  AsyncDisposable & {
    /** Answers what a child that analyses one file asks through its pipe, until that pipe ends. Never rejects. */
    serve: (pipe: Duplex) => Promise<void>;
  };

export type ModelsOptions = SpeechChoice & {
  /** After so many files, or when it holds so much memory, a fresh process takes over. */
  filesPerProcess?: number;
  maxResidentBytes?: number;
  /** So long without a call, and its memory is given back. */
  idleSeconds?: number;
};

/** What one caller may have under way: about three pictures. */
const maxHeldBytes = 8 * 2 ** 20;

const closedMessage = "The models are closed.";

type Caller = { isGone: boolean };

/** Starts nothing before the first call. */
export function openModels(options: ModelsOptions = {}): ModelsOwner {
  const { filesPerProcess = 50, maxResidentBytes = 800 * 2 ** 20, idleSeconds = 300 } = options;
  const setup = { whisperModel: options.whisperModel ?? null, speechModel: options.speechModel ?? null };
  const turns = createTurns();
  let current: ModelsProcess | undefined;
  let files = 0;
  const owner: Caller = { isGone: false };
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  async function retire(): Promise<void> {
    const old = current;
    current = undefined;
    files = 0;
    await old?.end();
  }

  async function ready(): Promise<ModelsProcess> {
    if (isClosed) throw new Error(closedMessage);
    // The end of a process that died while nobody asked is told in a later turn of the event loop.
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    const isWorn = files >= filesPerProcess || (current?.residentBytes() ?? 0) > maxResidentBytes;
    if (isWorn || current?.hasEnded() === true) await retire();
    current ??= await startModelsProcess(setup);
    if (isClosed) throw new Error(closedMessage);
    return current;
  }

  function askFor(caller: Caller): Ask {
    return async (request) => {
      requirePackages(request.call, setup);
      return turns.take(caller, async () => {
        clearTimeout(idle);
        if (caller.isGone) throw new Error("Nobody waits for the answer any more.");
        try {
          return await (await ready()).ask(request);
        } finally {
          idle = setTimeout(() => void turns.take(owner, retire), idleSeconds * 1000).unref();
        }
      });
    };
  }

  return {
    ...modelsBy(askFor(owner)),
    async serve(pipe) {
      const caller = { isGone: false };
      pipe.on("error", () => undefined).on("close", () => (caller.isGone = true));
      await answerCalls(pipe, askFor(caller));
      files += 1;
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(idle);
      await current?.end();
      await turns.take(owner, retire);
    },
  };
}

async function answerCalls(pipe: Duplex, ask: Ask): Promise<void> {
  const underWay = new Map<Promise<void>, number>();
  const heldBytes = () => underWay.values().reduce((sum, bytes) => sum + bytes, 0);
  try {
    for await (const message of readMessages(pipe)) {
      const answering: Promise<void> = answer({ pipe, message, ask })
        // An error that the analysis did not cause is ours: the caller sees its pipe break.
        .catch(() => void pipe.destroy())
        .finally(() => underWay.delete(answering));
      underWay.set(answering, message.payload.length);
      // Reading no further holds the caller back.
      while (heldBytes() >= maxHeldBytes) await Promise.race(underWay.keys());
    }
  } catch {
    // The caller went away in the middle of a message, or sent something else.
    pipe.destroy();
  }
}

async function answer(options: { pipe: Duplex; message: WireMessage; ask: Ask }): Promise<void> {
  const { pipe, message, ask } = options;
  const { id, call, words } = message.header as CallHeader;
  let answered: AnswerHeader;
  try {
    answered = { id, result: await ask({ call, words, bytes: message.payload }) };
  } catch (error) {
    answered = { id, error: describeError(error) };
  }
  if (!pipe.destroyed) await writeMessage(pipe, { header: answered });
}
