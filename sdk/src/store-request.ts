import { parseBlockList } from "./block-list.ts";
import { UploadError } from "./errors.ts";
import { exchange, isTransient, retry } from "./retry.ts";
import type { Transport } from "./transport.ts";

const listTimeoutMs = 60_000;

/** What the store has; null where the address does not allow to ask (Azure wants the right to read for it). */
export async function readBlocks(transport: Transport, url: string, signal: AbortSignal | undefined) {
  const { fetch, maxRetries } = transport;
  return retry(
    () =>
      exchange({
        fetch,
        url: withQuery(url, "comp=blocklist&blocklisttype=all"),
        init: { method: "GET" },
        timeoutMs: listTimeoutMs,
        signal,
        async read(response) {
          if (response.ok) return parseBlockList(await response.text());
          if (response.status === 404) return parseBlockList("");
          if (response.status === 403) return null;
          throw await refusalOf(response);
        },
      }),
    { maxRetries, signal, isWorthRetrying: isTransient },
  );
}

export async function putToStore(
  transport: Transport,
  options: {
    url: string;
    body: Blob | Uint8Array | string;
    headers?: Record<string, string>;
    timeoutMs: number;
    signal: AbortSignal | undefined;
  },
): Promise<void> {
  const { url, body, headers = {}, timeoutMs, signal } = options;
  const { fetch, maxRetries } = transport;
  await retry(
    () =>
      exchange({
        fetch,
        url,
        init: { method: "PUT", headers, body: body as Blob },
        timeoutMs,
        signal,
        async read(response) {
          if (!response.ok) throw await refusalOf(response);
          await response.arrayBuffer();
        },
      }),
    { maxRetries, signal, isWorthRetrying: isTransient },
  );
}

async function refusalOf(response: Response): Promise<UploadError> {
  const text = await response.text().catch(() => "");
  const tag = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? null;
  const code = response.headers.get("x-ms-error-code") ?? tag("Code");
  const message = tag("Message") ?? "";
  return new UploadError({
    status: response.status,
    code,
    message: `The store answered ${response.status}${code === null ? "" : ` ${code}`}. ${message}`.trim(),
  });
}

export function withQuery(url: string, query: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}${query}`;
}
