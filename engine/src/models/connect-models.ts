import type { Duplex } from "node:stream";
import { AnalysisError } from "../analysis-error.ts";
import { type AnswerHeader, type Ask, type CallHeader, resultOf } from "./calls.ts";
import { readMessages, writeMessage } from "./wire.ts";

/** Asks over a pipe; answers come in any order. When the pipe breaks, everybody who waits gets `broken()`. */
export function connectModels(
  pipe: Duplex,
  options: { broken?: () => Error | Promise<Error>; onAnswer?: (answer: AnswerHeader) => void } = {},
): Ask {
  const waiting = new Map<number, { resolve: (answer: AnswerHeader) => void; reject: (error: unknown) => void }>();
  let lastId = 0;
  let isBroken = false;
  const broken = options.broken ?? pipeBroke;

  async function listen(): Promise<void> {
    try {
      for await (const { header } of readMessages(pipe)) {
        const answer = header as AnswerHeader;
        options.onAnswer?.(answer);
        waiting.get(answer.id)?.resolve(answer);
        waiting.delete(answer.id);
      }
    } catch {
      // Whatever broke it, those who wait are rejected below.
    }
    isBroken = true;
    pipe.destroy();
    const error = await broken();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
  // Writing to a process that is gone; its end is seen by the listeners.
  pipe.on("error", () => undefined);
  void listen();

  return async ({ call, words, bytes }) => {
    if (isBroken) throw await broken();
    lastId += 1;
    const id = lastId;
    const answered = new Promise<AnswerHeader>((resolve, reject) => waiting.set(id, { resolve, reject }));
    const header: CallHeader = { id, call, words };
    const [answer] = await Promise.all([
      answered,
      writeMessage(pipe, { header, payload: bytes }).catch(() => undefined),
    ]);
    return resultOf(answer) as never;
  };
}

function pipeBroke(): Error {
  return new AnalysisError("analyzer_crashed", "The model process stopped unexpectedly. Try again.");
}
