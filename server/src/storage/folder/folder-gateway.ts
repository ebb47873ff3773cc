import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { ProtocolError } from "./azure-protocol.ts";
import { verifyAddress } from "./azure-signature.ts";
import type { FolderStore } from "./folder-store.ts";
import { corsHeaders, preflight } from "./gateway-cors.ts";
import { type Answer, operate, refusal } from "./gateway-operations.ts";
import { closeIfUnread } from "../../lingering-close.ts";
import { answerClientError, checkProtocol } from "./gateway-protocol.ts";
import { createOpenUploads, type UploadRoom } from "../../open-uploads.ts";
import { isOutOfFiles } from "../../open-files.ts";
import { untilTooSlow } from "../../upload-pace.ts";
import { splitKey } from "./folder-layout.ts";
import { StoreError, type StoreErrorCode } from "../store.ts";

export type FolderGatewayOptions = {
  store: FolderStore;
  host: string;
  port: number;
  /** How callers reach it, if not by host and port. */
  publicUrl?: string | undefined;
  signingKey: Uint8Array;
  /** Pages that may upload. Any by default: the address itself is the credential. */
  corsOrigins?: string[];
  clock?: () => Date;
  /** A slower client is cut off: an upload may take as long as it needs, and so a connection could be held for ever. */
  minBytesPerSecond?: number;
  paceWindowSeconds?: number;
  /** Uploads of one workspace that may be open at once. */
  uploadsPerWorkspace?: number;
  uploadRoom?: UploadRoom;
  limitConnections?: (server: Server) => void;
  drainSeconds?: number;
  onAnswer?: (outcome: GatewayOutcome) => void;
};

export type GatewayOutcome = {
  /** The `x-ms-request-id` of the answer. */
  requestId: string;
  method: string;
  status: number;
  durationMs: number;
  /** Of a refusal: Azure's code for it. */
  code?: string;
  /** What nobody expected; a client that went away is not among it. */
  error?: unknown;
};

export type FolderGateway = AsyncDisposable & { url: string; port: number };

const refusals: Record<StoreErrorCode, [status: number, code: string]> = {
  too_large: [413, "RequestBodyTooLarge"],
  quota_exceeded: [507, "InsufficientStorage"],
  disk_full: [507, "InsufficientStorage"],
  object_missing: [404, "BlobNotFound"],
  object_changed: [412, "ConditionNotMet"],
  object_exists: [409, "BlobAlreadyExists"],
  object_frozen: [409, "BlobImmutableDueToPolicy"],
  checksum_mismatch: [400, "Md5Mismatch"],
  invalid_key: [400, "InvalidResourceName"],
  unavailable: [503, "ServerBusy"],
};

/** The embedded store's own listener: what Azure's clients send to a signed address, kept in a folder. */
export async function startFolderGateway(options: FolderGatewayOptions): Promise<FolderGateway> {
  const { store, signingKey, clock = () => new Date(), corsOrigins = ["*"] } = options;
  const { minBytesPerSecond = 1024, paceWindowSeconds: windowSeconds = 30, drainSeconds = 30 } = options;
  const publicPath = options.publicUrl ? new URL(options.publicUrl).pathname.replace(/\/+$/, "") : "";
  const { uploadsPerWorkspace = Infinity, uploadRoom } = options;
  const openUploads = createOpenUploads({ perOwner: uploadsPerWorkspace, room: uploadRoom });
  let isDraining = false;

  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<Answer> => {
    const { url = "/", method = "GET", headers } = request;
    checkProtocol(request);
    if (method === "OPTIONS") return preflight(headers, corsOrigins);
    const signed = verifyAddress(url, { publicPath, signingKey, now: clock() });
    const slow = Promise.withResolvers<never>();
    const body = () => {
      if (headers.expect !== undefined) response.writeContinue();
      const failure = (message: string) => new ProtocolError(408, "OperationTimedOut", message);
      untilTooSlow(request, { minBytesPerSecond, windowSeconds }, failure).catch(slow.reject);
      return request;
    };
    using _open = method === "PUT" ? admit(splitKey(signed.grant.key).workspace) : undefined;
    const left = new AbortController();
    response.once("close", () => left.abort());
    const operating = operate({ ...signed, store, method, headers, body, signal: left.signal });
    return await Promise.race([operating, slow.promise]);
  };

  const admit = (workspace: string): Disposable => {
    const admitted = openUploads.admit(workspace);
    if (admitted) return admitted;
    throw new ProtocolError(
      503,
      "ServerBusy",
      `This workspace has ${options.uploadsPerWorkspace} uploads open, which is the maximum (GREENLIT_UPLOADS_PER_KEY). Try again when some have ended.`,
    );
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedMs = performance.now();
    const requestId = randomUUID();
    // Without a listener, a connection that breaks would end the process.
    request.on("error", () => {});
    response.on("error", () => {});
    const unexpected: { error?: unknown } = {};
    const answer = await answerTo(request, response).catch((error: unknown) => {
      if (error instanceof ProtocolError) return refusal(error.status, error.code, error.message, error.headers);
      if (error instanceof StoreError) return refusal(...refusals[error.code], error.message);
      if (!request.destroyed || request.complete) unexpected.error = error;
      if (isOutOfFiles(error))
        return refusal(503, "ServerBusy", "The store has too many files open right now. Try again in a moment.");
      return refusal(500, "InternalError", "The store met an unexpected error. Try again.");
    });
    await closeIfUnread(request, response);
    const clientId = request.headers["x-ms-client-request-id"];
    response.writeHead(answer.status, {
      "x-request-id": requestId,
      "x-ms-request-id": requestId,
      "x-ms-version": "2024-11-04",
      ...(typeof clientId === "string" ? { "x-ms-client-request-id": clientId } : {}),
      ...(isDraining ? { connection: "close" } : {}),
      ...corsHeaders(request.headers, corsOrigins),
      ...(typeof answer.body === "object" ? {} : { "content-length": Buffer.byteLength(answer.body ?? "") }),
      ...answer.headers,
    });
    if (typeof answer.body === "object") {
      // Of one who does not read on, the connection is closed.
      response.setTimeout(windowSeconds * 1000);
      await pipeline(answer.body, response).catch(() => {});
    } else response.end(answer.body);
    const durationMs = performance.now() - startedMs;
    const code = answer.headers["x-ms-error-code"];
    options.onAnswer?.({
      requestId,
      method: request.method ?? "",
      status: answer.status,
      durationMs,
      ...(typeof code === "string" && { code }),
      ...unexpected,
    });
  };

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    // Whatever a client found to break the answer itself must not end the process.
    handle(request, response).catch((error: unknown) => {
      request.socket.destroy();
      options.onAnswer?.({ requestId: "", method: request.method ?? "", status: 500, durationMs: 0, error });
    });
  };
  const server = createServer({
    requestTimeout: 0,
    headersTimeout: 10_000,
    connectionsCheckingInterval: 2000,
    keepAliveTimeout: 65_000,
    requireHostHeader: false,
  });
  server.on("request", listener).on("checkContinue", listener).on("checkExpectation", listener);
  server.on("clientError", answerClientError);
  options.limitConnections?.(server);
  server.listen(options.port, options.host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;

  return {
    port,
    url: options.publicUrl ?? `http://${host}:${port}`,
    async [Symbol.asyncDispose]() {
      isDraining = true;
      const closed = once(server, "close");
      server.close();
      const deadline = setTimeout(() => server.closeAllConnections(), drainSeconds * 1000);
      await closed;
      clearTimeout(deadline);
    },
  };
}
