import type pg from "pg";
import type { Logger } from "pino";
import type { Listener } from "../db/listen.ts";
import { deriveKey } from "../secret-key.ts";
import { createHub, type Hub } from "./hub.ts";
import { createProgressPublisher, type ProgressPublisher } from "./progress.ts";
import { createTokens, type Tokens } from "./token.ts";

/** A process's part of the realtime channels. */
export type Realtime = { hub: Hub; tokens: Tokens; progress: ProgressPublisher } & Disposable;

export function createRealtime(options: {
  pool: pg.Pool;
  listener: Listener;
  log: Logger;
  now: () => Date;
  secretKey: Buffer;
  streamsPerKey: number;
}): Realtime {
  const hub = createHub(options);
  const progress = createProgressPublisher(options);
  return {
    hub,
    progress,
    tokens: createTokens({ key: deriveKey(options.secretKey, "realtime token"), now: options.now }),
    [Symbol.dispose]() {
      progress[Symbol.dispose]();
      hub[Symbol.dispose]();
    },
  };
}
