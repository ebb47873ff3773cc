import { ApiError, errorOf } from "./errors.ts";
import { idempotentOperations, operations, type NoFields, type Operations, type UploadUrl } from "./generated.ts";
import { exchange, isTransient, retry, type Fetch } from "./retry.ts";

export type ClientOptions = {
  /** `sk_live_…` or `sk_test_…`. Leave it out in a page of the service itself, where the session's cookie speaks. */
  apiKey?: string;
  /** Where the service is. Default: `http://127.0.0.1:8080`. */
  baseUrl?: string;
  /** Another `fetch`, for a proxy, for logging or for tests. */
  fetch?: Fetch;
  /** How often a request is tried again. Default: 4. */
  maxRetries?: number;
  /** How long one attempt may take, uploads aside. Default: 60,000. */
  timeoutMs?: number;
  /** Sent with every request to the API. */
  headers?: Record<string, string>;
};

export type RequestOptions = {
  signal?: AbortSignal;
  /** The same key makes a repeated request the same request, across restarts of your program too. Left out: a new one. */
  idempotencyKey?: string;
};

export type OperationName = keyof Operations;
export type Query<Name extends OperationName> = Operations[Name]["query"];
export type Body<Name extends OperationName> = Operations[Name]["body"];

/** May be left out where nothing in it is required. */
type Part<Key extends string, Value> = NoFields extends Value ? { [K in Key]?: Value } : { [K in Key]: Value };

/** What an operation needs: its path parameters, query and body, as far as it has them. */
export type OperationInput<Name extends OperationName> = RequestOptions &
  Part<"params", Operations[Name]["params"]> &
  Part<"query", Operations[Name]["query"]> &
  (undefined extends Operations[Name]["body"]
    ? { body?: Operations[Name]["body"] }
    : { body: Operations[Name]["body"] });

export type Call = <Name extends OperationName>(
  name: Name,
  ...input: NoFields extends OperationInput<Name> ? [OperationInput<Name>?] : [OperationInput<Name>]
) => Promise<Operations[Name]["result"]>;

export type Transport = {
  call: Call;
  /** Any route, such as `GET /me`; for what is not among the operations. */
  request(route: string, input?: LooseInput): Promise<unknown>;
  /** The answer as it comes, for streams and redirects. */
  open(name: OperationName, input: LooseInput): Promise<Response>;
  renewUploadUrl(upload: { blobPath: string; uploadUrl: string }, signal: AbortSignal | undefined): Promise<UploadUrl>;
  fetch: Fetch;
  maxRetries: number;
};

type QueryValues = Record<string, string | number | boolean | null | undefined>;

export type LooseInput = RequestOptions & {
  params?: Record<string, string>;
  query?: QueryValues;
  body?: unknown;
  headers?: Record<string, string>;
};

/** Repeating these changes nothing that anybody sees. Other POSTs without a key could be carried out twice. */
const harmless: ReadonlySet<string> = new Set([
  "createUploadUrl",
  "uploadDirectly",
  "renewUploadUrl",
  "createRealtimeToken",
]);
const directUploadTimeoutMs = 600_000;

export function createTransport(options: ClientOptions): Transport {
  const { apiKey, maxRetries = 4, timeoutMs = 60_000, headers = {} } = options;
  const base = apiUrl(options.baseUrl ?? "http://127.0.0.1:8080");
  // Called as a plain function: a browser refuses its fetch as a method of another object.
  const givenFetch = options.fetch;
  const fetch: Fetch = (url, init) => (givenFetch ?? globalThis.fetch)(url, init);

  async function send<T>(
    name: string,
    route: string,
    input: LooseInput,
    read: (response: Response, attempt: number) => T | Promise<T>,
  ): Promise<T> {
    const [method = "GET", path = ""] = route.split(" ");
    const url = base + fill(path, input.params ?? {}) + queryOf(input.query ?? {});
    const isForm = input.body instanceof FormData;
    const hasKey = idempotentOperations.has(name);
    const init = {
      method,
      redirect: "manual" as const,
      headers: {
        ...headers,
        ...(apiKey !== undefined && { "x-api-key": apiKey }),
        ...(input.body !== undefined && !isForm && { "content-type": "application/json" }),
        ...(hasKey && { "idempotency-key": input.idempotencyKey ?? newKey() }),
        ...input.headers,
      },
      ...(input.body !== undefined && { body: isForm ? (input.body as FormData) : JSON.stringify(input.body) }),
    };
    const isRepeatable = method !== "POST" || hasKey || harmless.has(name);
    return retry(
      (attempt) =>
        exchange({
          fetch,
          url,
          init,
          timeoutMs: isForm ? directUploadTimeoutMs : timeoutMs,
          signal: input.signal,
          read: (response) => read(response, attempt),
        }),
      {
        maxRetries,
        signal: input.signal,
        isWorthRetrying: (error) => isWorthRetrying(error, isRepeatable),
      },
    );
  }

  async function call(name: string, route: string, input: LooseInput = {}): Promise<unknown> {
    return send(name, route, input, async (response, attempt) => {
      // A DELETE whose answer was lost has done its work.
      if (response.status === 404 && attempt > 0 && route.startsWith("DELETE")) return undefined;
      if (!response.ok) throw await errorOf(response);
      if (response.status === 204) return undefined;
      return isJson(response) ? await response.json() : await buffered(response);
    });
  }

  return {
    call: ((name: OperationName, input?: LooseInput) => call(name, operations[name], input)) as Call,
    request: (route, input) => call(route, route, input),
    async renewUploadUrl(body, signal) {
      const input = { body, ...(signal && { signal }) };
      return (await call("renewUploadUrl", "POST /uploads/url/renew", input)) as UploadUrl;
    },
    open: (name, input) =>
      send(name, operations[name], input, async (response) => {
        if (response.status >= 400) throw await errorOf(response);
        return response;
      }),
    fetch,
    maxRetries,
  };
}

function isWorthRetrying(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ApiError && error.code === "idempotency_in_progress") return true;
  return isRepeatable ? isTransient(error) : error instanceof ApiError && error.status === 429;
}

/** Read to its end while the timeout still watches, so that a connection that breaks is retried. */
async function buffered(response: Response): Promise<Response> {
  const { status, headers } = response;
  return new Response(await response.arrayBuffer(), { status, headers });
}

function isJson(response: Response): boolean {
  return /^application\/json\b/.test(response.headers.get("content-type") ?? "");
}

/** People paste the address with the prefix and without. */
function apiUrl(baseUrl: string): string {
  return `${baseUrl.replace(/\/+$/, "").replace(/\/api(\/v1)?\/integrations$/, "")}/api/integrations`;
}

function fill(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // An empty one would be the address of the whole list.
    if (typeof value !== "string" || value === "") throw new TypeError(`${name} is missing.`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: QueryValues): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value));
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

/** Not randomUUID, which pages on plain http do not have. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
