import { ConnectionError } from "./errors.ts";

export type ServerSentEvent = { id: string | null; data: string };

/** The events of a stream. Silence for longer than `idleMs` means a dead connection: the service comments every 15 s. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  { idleMs, signal }: { idleMs: number; signal?: AbortSignal | undefined },
): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const abort = () => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const decoder = new TextDecoder();
    let rest = "";
    let event: { id: string | null; data: string[] } = { id: null, data: [] };
    for (;;) {
      const { done, value } = await within(reader.read(), idleMs);
      signal?.throwIfAborted();
      if (done) return;
      // A "\r" at the end may be half of a "\r\n".
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") {
          if (event.data.length > 0 || event.id !== null) yield { id: event.id, data: event.data.join("\n") };
          event = { id: null, data: [] };
          continue;
        }
        const [, field, text = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
        if (field === "data") event.data.push(text);
        if (field === "id") event.id = text;
      }
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    abort();
  }
}

async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError("The stream has gone silent.")), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
