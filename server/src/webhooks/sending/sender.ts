import { Agent, request } from "undici";
import { createGuardedConnector } from "./guarded-connector.ts";
import { explainError } from "./explain-error.ts";
import type { NetworkPolicy } from "./network-policy.ts";
import { createHostResolver, type ResolveHost } from "./resolve-host.ts";
import { parseRetryAfter } from "./retry-schedule.ts";
import { signatureHeaders } from "./signature.ts";

export type Message = {
  url: string;
  eventId: string;
  body: string;
  /** The customer's own. */
  headers: Record<string, string>;
  secrets: readonly string[];
};

/** What one attempt came to. */
export type Attempt = {
  isSuccess: boolean;
  statusCode: number | null;
  responseBody: string | null;
  durationMs: number;
  /** In words; null on success. */
  error: string | null;
  retryAfterSeconds?: number | undefined;
};

export type Sender = {
  /** Never rejects, but for `signal`: then the attempt is as if it had not been made. */
  send(message: Message, signal?: AbortSignal): Promise<Attempt>;
} & AsyncDisposable;

const keptBytes = 4096;
const insideOriginsKept = 10_000;

/** Makes attempts: one signed POST each, to where the network policy allows, within one time limit for everything. */
export function createSender(options: {
  policy: NetworkPolicy;
  allowHttp: boolean;
  now: () => Date;
  timeoutMs?: number;
  resolveHost?: ResolveHost;
  ca?: string;
  /** For the operator's log: the delivery's own error does not name the address. */
  onRefused?: (refusal: { hostname: string; why: string }) => void;
}): Sender {
  const { policy, allowHttp, now, timeoutMs = 15_000, resolveHost = createHostResolver(), ca } = options;
  // Connections are reused, so that a request alone does not tell where its connection leads.
  const insideOrigins = new Set<string>();
  const agent = new Agent({
    connect: createGuardedConnector({
      policy,
      resolveHost,
      connectTimeoutMs: timeoutMs,
      ...(ca !== undefined && { ca }),
      onRefused: options.onRefused,
      onInside: (origin) => {
        insideOrigins.add(origin);
        const [oldest] = insideOrigins;
        if (insideOrigins.size > insideOriginsKept && oldest !== undefined) insideOrigins.delete(oldest);
      },
    }),
    // Those of undici watch only for silence; a receiver that drips would hold an attempt for ever.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    async send(message, signal) {
      const url = new URL(message.url);
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      const failed = (error: string, statusCode: number | null = null): Attempt => ({
        isSuccess: false,
        statusCode,
        responseBody: null,
        durationMs: durationMs(),
        error,
      });
      if (url.protocol === "http:" && !allowHttp)
        return failed("http is not allowed; GREENLIT_WEBHOOK_HTTP would allow it");

      using limit = limitTime(timeoutMs, signal);
      let statusCode: number | null = null;
      try {
        const answer = await request(url, {
          method: "POST",
          dispatcher: agent,
          headers: headersOf(message, now()),
          body: message.body,
          signal: limit.signal,
        });
        statusCode = answer.statusCode;
        const responseBody = await readStart(answer.body);
        const isSuccess = statusCode >= 200 && statusCode < 300;
        const asksToWait = statusCode === 429 || statusCode === 503;
        return {
          isSuccess,
          statusCode,
          // It would make the internal network readable to anyone who may subscribe.
          responseBody: insideOrigins.has(url.origin) ? null : responseBody,
          durationMs: durationMs(),
          error: isSuccess ? null : describeAnswer(statusCode, durationMs()),
          ...(asksToWait && { retryAfterSeconds: parseRetryAfter(firstOf(answer.headers["retry-after"]), now()) }),
        };
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (!limit.signal.aborted) return failed(explainError(error, url.hostname), statusCode);
        const seconds = timeoutMs / 1000;
        if (statusCode === null) return failed(`no answer within ${seconds} s`);
        return failed(`answered ${statusCode}, but not completely within ${seconds} s`, statusCode);
      }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

function headersOf({ headers, ...message }: Message, sentAt: Date): Record<string, string> {
  return {
    ...headers,
    "content-type": "application/json",
    "user-agent": "Greenlit-Webhooks/1",
    ...signatureHeaders({ ...message, sentAt }),
  };
}

/** Aborts when the time is over or the given signal says so; AbortSignal.timeout would keep its timer after the answer. */
function limitTime(timeoutMs: number, outer: AbortSignal | undefined): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", abort);
    },
  };
}

/** The first bytes as text, as they are on the wire; leaving the loop closes the connection of a longer answer. */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= keptBytes) break;
  }
  const start = Buffer.concat(chunks).subarray(0, keptBytes);
  // `stream` leaves out a character that the cut went through; PostgreSQL stores no NUL.
  return new TextDecoder().decode(start, { stream: true }).replaceAll("\0", "");
}

function describeAnswer(statusCode: number, durationMs: number): string {
  const answered = `answered ${statusCode} in ${durationMs} ms`;
  return statusCode >= 300 && statusCode < 400 ? `${answered}; redirects are not followed` : answered;
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
