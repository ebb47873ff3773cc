import type { Fetch } from "../retry.ts";

/** Where the suite finds a running service. */
export type SuiteSettings = { baseUrl: string; liveKey: string; sandboxKey: string };

export type SuiteCase = { name: string; run: (settings: SuiteSettings) => Promise<void> };

export function equal(actual: unknown, expected: unknown, what = ""): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what} expected ${b}, got ${a}`.trim());
}

export async function rejection(promise: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error("nothing was thrown");
}

type Reply = Response | Error;
export type Seen = { url: string; method: string; headers: Headers; body: unknown };

/** A fetch that answers from a list and remembers what it was asked. */
export function scriptedFetch(replies: (Reply | (() => Reply))[]): { fetch: Fetch; seen: Seen[] } {
  const seen: Seen[] = [];
  return {
    seen,
    async fetch(url, init) {
      seen.push({ url, method: init.method ?? "GET", headers: new Headers(init.headers), body: init.body });
      const next = replies[Math.min(seen.length, replies.length) - 1];
      const reply = typeof next === "function" ? next() : next;
      if (reply === undefined || reply instanceof Error) throw reply ?? new Error("nothing to answer");
      return reply;
    },
  };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): () => Response {
  return () =>
    new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

/** Another name each time, so that cases that run side by side do not meet. */
export function uniqueName(stem: string, extension: string): string {
  return `${stem}-${Math.random().toString(36).slice(2)}.${extension}`;
}
