import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { blockListXml, errorXml, parseBlockId, parseBlockList, ProtocolError } from "./azure-protocol.ts";
import type { SignedRequest } from "./azure-signature.ts";
import { assertMd5, readObject, type WriteConditions } from "./folder-objects.ts";
import type { FolderStore } from "./folder-store.ts";
import { type ObjectMeta, readBlockList } from "./object-file.ts";

export type OperationRequest = SignedRequest & {
  store: FolderStore;
  method: string;
  headers: IncomingHttpHeaders;
  /** Lets a client that waits for it begin, so nothing asks for the body before all that can be checked without it is checked. */
  body: () => Readable;
  /** Aborted when the client is gone before its answer. */
  signal: AbortSignal;
};

export type Answer = { status: number; headers: Record<string, string | number>; body?: string | Readable };

const notEncrypted = { "x-ms-request-server-encrypted": "false" };

/** The part of Azure's protocol that its clients use on a signed address. */
export function operate(request: OperationRequest): Promise<Answer> {
  const { method, grant, query } = request;
  const comp = query.get("comp");
  const needs = { PUT: "cw", GET: comp === "blocklist" ? "cw" : "r", HEAD: "r" }[method];
  if (grant.permissions !== needs)
    throw new ProtocolError(403, "AuthorizationPermissionMismatch", "The address was not signed for this operation.");
  if (method !== "PUT" && comp === null) return getBlob(request);
  if (method === "GET" && comp === "blocklist") return getBlockList(request);
  if (method === "PUT" && comp === null) return putBlob(request);
  if (method === "PUT" && comp === "block") return putBlock(request);
  if (method === "PUT" && comp === "blocklist") return putBlockList(request);
  throw new ProtocolError(400, "InvalidQueryParameterValue", `comp=${comp} is not supported here.`);
}

async function putBlob({ store, grant, headers, body }: OperationRequest): Promise<Answer> {
  const declaredBytes = declaredBytesOf(headers);
  if (headers["x-ms-blob-type"] !== "BlockBlob")
    throw new ProtocolError(400, "MissingRequiredHeader", "Send the header x-ms-blob-type: BlockBlob.");
  const md5 = md5Of(headers, "x-ms-blob-content-md5") ?? md5Of(headers, "content-md5");
  const { maxBytes, contentType } = grant;
  const meta = await store.objects.write(grant.key, {
    body,
    ownsChunks: true,
    declaredBytes,
    maxBytes,
    contentType,
    md5,
    conditions: conditionsOf(headers),
  });
  await store.blocks.discard(grant.key);
  return {
    status: 201,
    headers: { ...identityOf(meta), ...notEncrypted, ...(meta.md5 ? { "content-md5": meta.md5 } : {}) },
  };
}

async function putBlock({ store, grant, query, headers, body }: OperationRequest): Promise<Answer> {
  const declaredBytes = declaredBytesOf(headers);
  if (declaredBytes === 0) throw new ProtocolError(400, "InvalidHeaderValue", "A block has at least one byte.");
  const id = parseBlockId(query.get("blockid") ?? "");
  const md5 = md5Of(headers, "content-md5");
  const received = await store.blocks.stage(grant.key, { id, body, declaredBytes, maxBytes: grant.maxBytes, md5 });
  return { status: 201, headers: { ...notEncrypted, ...(received.md5 ? { "content-md5": received.md5 } : {}) } };
}

async function putBlockList({ store, grant, headers, body, signal }: OperationRequest): Promise<Answer> {
  declaredBytesOf(headers);
  const md5 = md5Of(headers, "x-ms-blob-content-md5");
  const md5OfList = md5Of(headers, "content-md5");
  await store.objects.assertWritable(grant.key, conditionsOf(headers));
  const list = await parseBlockList(body());
  assertMd5(list.md5, md5OfList);
  const { maxBytes, contentType } = grant;
  const meta = await store.commit(grant.key, {
    entries: list.entries,
    maxBytes,
    contentType,
    md5,
    conditions: conditionsOf(headers),
    signal,
  });
  return { status: 201, headers: { ...identityOf(meta), ...notEncrypted, "content-md5": list.md5 } };
}

async function getBlockList({ store, grant, query }: OperationRequest): Promise<Answer> {
  const type = (query.get("blocklisttype") ?? "committed").toLowerCase();
  if (type !== "committed" && type !== "uncommitted" && type !== "all")
    throw new ProtocolError(400, "InvalidQueryParameterValue", "blocklisttype is committed, uncommitted or all.");
  await using object = await store.objects.openObject(grant.key);
  const staged = [...(await store.blocks.staged(grant.key))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (!object && staged.length === 0) throw notFound();
  const committed = object ? await readBlockList(object.file, object.meta) : [];
  const uncommitted = staged.map(([id, sizeBytes]) => ({ id, sizeBytes }));
  const body = blockListXml({
    ...(type === "uncommitted" ? {} : { committed }),
    ...(type === "committed" ? {} : { uncommitted }),
  });
  const ofObject = object ? { ...identityOf(object.meta), "x-ms-blob-content-length": object.meta.sizeBytes } : {};
  return { status: 200, headers: { "content-type": "application/xml", ...ofObject }, body };
}

async function getBlob({ store, grant, method, headers }: OperationRequest): Promise<Answer> {
  await using stack = new AsyncDisposableStack();
  const object = stack.use(await store.objects.openObject(grant.key));
  if (!object) throw notFound();
  const { meta } = object;
  const identity = { ...identityOf(meta), "accept-ranges": "bytes", "x-ms-blob-type": "BlockBlob" };
  if (headers["if-match"] !== undefined && headers["if-match"] !== meta.etag)
    throw new ProtocolError(412, "ConditionNotMet", "The object is no longer the one that was asked for.");
  if (headers["if-none-match"] === meta.etag)
    return { status: 304, headers: { ...identity, "content-length": meta.sizeBytes } };
  const range = rangeOf(headers, meta);
  if (range && range.start > range.end)
    return refusal(416, "InvalidRange", "The range begins beyond the object's end.", {
      "content-range": `bytes */${meta.sizeBytes}`,
    });
  const { start, end } = range ?? { start: 0, end: meta.sizeBytes - 1 };
  const answer: Answer = {
    status: range ? 206 : 200,
    headers: {
      ...identity,
      "content-type": grant.contentType || "application/octet-stream",
      "content-disposition": grant.contentDisposition || "attachment",
      "content-length": end - start + 1,
      ...(range ? { "content-range": `bytes ${start}-${end}/${meta.sizeBytes}` } : {}),
      // Media of strangers must not become a page of this origin, whatever a browser takes it for.
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox",
      "cache-control": "private",
    },
  };
  if (method === "HEAD") return answer;
  stack.move();
  return { ...answer, body: readObject(object, { start, end }) };
}

/** What is asked for, cut at the end; beyond the end it begins after it ends. Null: everything, also when it makes no sense, as HTTP wants it. */
function rangeOf(headers: IncomingHttpHeaders, meta: ObjectMeta): { start: number; end: number } | null {
  const text = headers["x-ms-range"] ?? headers.range;
  const match = typeof text === "string" ? /^bytes=(\d*)-(\d*)$/.exec(text) : null;
  const [, first = "", last = ""] = match ?? [];
  if (first === "" && last === "") return null;
  if (headers["if-range"] !== undefined && headers["if-range"] !== meta.etag) return null;
  const lastByte = meta.sizeBytes - 1;
  if (first === "") return { start: Math.max(0, meta.sizeBytes - Number(last)), end: lastByte };
  if (last !== "" && Number(last) < Number(first)) return null;
  return { start: Number(first), end: last === "" ? lastByte : Math.min(Number(last), lastByte) };
}

export function refusal(status: number, code: string, message: string, headers: Answer["headers"] = {}): Answer {
  return {
    status,
    headers: { ...headers, "content-type": "application/xml", "x-ms-error-code": code },
    body: errorXml(code, message),
  };
}

function identityOf(meta: ObjectMeta): Record<string, string> {
  return { etag: meta.etag, "last-modified": new Date(meta.lastModified).toUTCString() };
}

/** Undefined when the body comes in chunks and its length is not announced. */
function declaredBytesOf(headers: IncomingHttpHeaders): number | undefined {
  // Taken for a plain upload, a copy would make an empty object, a structured body one with the frames inside, and a
  // part of a file would pass for all of it.
  for (const name of ["x-ms-copy-source", "x-ms-structured-body", "content-range"])
    if (headers[name] !== undefined)
      throw new ProtocolError(400, "UnsupportedHeader", `${name} is not supported here.`);
  if (headers["content-length"] !== undefined) return Number(headers["content-length"]);
  if (headers["transfer-encoding"] !== undefined) return undefined;
  throw new ProtocolError(411, "MissingContentLengthHeader", "Send the header Content-Length.");
}

function md5Of(headers: IncomingHttpHeaders, name: "content-md5" | "x-ms-blob-content-md5"): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  if (typeof value === "string" && /^[A-Za-z0-9+/]{22}==$/.test(value)) return value;
  throw new ProtocolError(400, "InvalidMd5", `${name} is the MD5 of the content in base64.`);
}

function conditionsOf(headers: IncomingHttpHeaders): WriteConditions {
  const ifNoneMatch = headers["if-none-match"];
  if (ifNoneMatch !== undefined && ifNoneMatch !== "*")
    throw new ProtocolError(400, "InvalidHeaderValue", "If-None-Match can only be * when writing.");
  return { onlyIfMissing: ifNoneMatch === "*", ifMatch: headers["if-match"] };
}

function notFound(): ProtocolError {
  return new ProtocolError(404, "BlobNotFound", "There is nothing at this address.");
}
