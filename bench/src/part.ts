import { fork } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/** What a part is started with, what it says once it is ready, and what it can be asked. */
export type Contract = {
  argument: unknown;
  ready: unknown;
  commands: Record<string, (argument: never) => Promise<unknown>>;
};

export type Part<C extends Contract> = {
  ready: C["ready"];
  pid: number;
  ask<Name extends keyof C["commands"] & string>(
    name: Name,
    ...argument: Parameters<C["commands"][Name]>
  ): Promise<Awaited<ReturnType<C["commands"][Name]>>>;
} & AsyncDisposable;

type ToPart = { id: number; name: string; argument: unknown };
type FromPart = { id: number; value?: unknown; error?: string };

const startId = 0;
const alive = new Set<() => Promise<void>>();

/** For an interrupted run, whose scopes nobody leaves any more. */
export async function stopParts(): Promise<void> {
  await Promise.all([...alive].map((stop) => stop()));
}

/** Starts a module that calls `servePart` in a process of its own, so that it shares no event loop with what measures it. */
export async function startPart<C extends Contract>(
  module: URL,
  argument: C["argument"],
  options: { execArgv?: string[] } = {},
): Promise<Part<C>> {
  const child = fork(fileURLToPath(module), {
    execArgv: ["--disable-warning=ExperimentalWarning", ...(options.execArgv ?? [])],
    serialization: "advanced",
    stdio: ["ignore", 2, 2, "ipc"],
  });
  const name = basename(module.pathname);
  const exited = once(child, "exit");
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  child.on("message", ({ id, value, error }: FromPart) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(value);
    else asked?.reject(new Error(`${name}: ${error}`));
  });
  void exited.then(([code, signal]) => {
    for (const asked of waiting.values()) asked.reject(new Error(`${name} ended: ${String(signal ?? code)}`));
  });

  let lastId = startId;
  function send(id: number, name: string, value: unknown): Promise<unknown> {
    const asked = Promise.withResolvers<unknown>();
    waiting.set(id, asked);
    child.send({ id, name, argument: value } satisfies ToPart, (error) => error && asked.reject(error));
    return asked.promise;
  }

  const stop = async () => {
    if (child.connected) child.disconnect();
    await exited;
  };
  alive.add(stop);
  void exited.then(() => alive.delete(stop));
  try {
    return {
      ready: await send(startId, "start", argument),
      pid: child.pid ?? 0,
      ask: (name, ...argument) => send(++lastId, name, argument[0]) as Promise<never>,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The other side: starts when told, answers what it is asked, and ends when the benchmark lets go of it or is gone. */
export function servePart<C extends Contract>(
  start: (
    argument: C["argument"],
    stack: AsyncDisposableStack,
  ) => Promise<{ ready: C["ready"]; commands: C["commands"] }>,
): void {
  const stack = new AsyncDisposableStack();
  let commands: Record<string, (argument: never) => Promise<unknown>> = {};
  // A terminal sends its Ctrl-C to every process; the benchmark ends its parts itself, in order.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  process.on("message", ({ id, name, argument }: ToPart) => {
    const answer = async () => {
      if (id !== startId) return commands[name]?.(argument as never);
      const started = await start(argument, stack);
      ({ commands } = started);
      return started.ready;
    };
    answer().then(
      (value) => process.send?.({ id, value } satisfies FromPart),
      (error: unknown) =>
        process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.once("disconnect", () => {
    void stack.disposeAsync().finally(() => process.exit());
  });
}
