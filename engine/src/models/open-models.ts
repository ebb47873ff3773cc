import type { Duplex } from "node:stream";
import type { BuiltCode } from "../jail/built-code.ts";
import { type AnswerHeader, type Ask, type CallHeader, type CallName, describeError, modelsBy } from "./calls.ts";
import { requirePackages, type SpeechChoice } from "./find-models.ts";
import type { Models } from "./models.ts";
import { type Caller, openModelsPool, type PoolLimits, poolSizeHere } from "./models-pool.ts";
import { readMessages, type WireMessage, writeMessage } from "./wire.ts";

/** The process that starts analyses owns the models, so that their processes serve many files. */
export type ModelsOwner = Models &
  AsyncDisposable & {
    /**
     * Answers what a child that analyses one file asks through its pipe, until that pipe ends. Never rejects. `code`: what
     * a process that has to be started runs.
     */
    serve: (pipe: Duplex, code?: BuiltCode) => Promise<void>;
  };

/** Of what is seen and of what is heard, each. Left out: as many processes as this machine carries (`poolSizeHere`). */
export type ModelsOptions = SpeechChoice & Partial<PoolLimits>;

/** What one caller may have under way: about three pictures. */
const maxHeldBytes = 8 * 2 ** 20;

const organs = {
  readText: "eyes",
  readCodes: "eyes",
  judgePicture: "eyes",
  hearVoice: "ears",
  transcribe: "ears",
} as const satisfies Record<CallName, string>;

/** Starts nothing before the first call. */
export function openModels(options: ModelsOptions = {}): ModelsOwner {
  const setup = { whisperModel: options.whisperModel ?? null, speechModel: options.speechModel ?? null };
  const limits = {
    processes: options.processes ?? poolSizeHere(setup),
    filesPerProcess: options.filesPerProcess ?? 50,
    maxResidentBytes: options.maxResidentBytes ?? 800 * 2 ** 20,
    idleSeconds: options.idleSeconds ?? 300,
  };
  // What is heard and what is seen of a film come at the same time: neither waits for the other.
  const pools = { eyes: openModelsPool(setup, limits), ears: openModelsPool(setup, limits) };

  function askFor(caller: Caller): Ask {
    const asks = { eyes: pools.eyes.askFor(caller), ears: pools.ears.askFor(caller) };
    return async (request) => {
      requirePackages(request.call, setup);
      return asks[organs[request.call]](request);
    };
  }

  return {
    ...modelsBy(askFor({ isGone: false })),
    async serve(pipe, code) {
      const caller = { isGone: false, code };
      pipe.on("error", () => undefined).on("close", () => (caller.isGone = true));
      await answerCalls(pipe, askFor(caller));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([pools.eyes, pools.ears].map((pool) => pool[Symbol.asyncDispose]()));
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
