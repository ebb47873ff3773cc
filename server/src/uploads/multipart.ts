import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import busboy, { type FileInfo } from "busboy";
import { Failure } from "../failure.ts";
import { formatExactSize } from "@greenlit/engine/media-types/media-types.ts";

/** `filename` and `contentType` are as the client sent them; without a Content-Type it is undefined. `body` ends only when the whole form has proved valid. */
export type FilePart = { filename: string; contentType: string | undefined; body: Readable };

// Part headers, preamble, epilogue and boundaries together; a browser needs less than one KiB.
const maxOverheadBytes = 64 * 1024;

// A client that writes all of its request before it reads never sees an answer that we give and hang up on, so what it
// still sends is thrown away for a while.
const maxDiscardedBytes = 64 * 1024 * 1024;
const maxDiscardMilliseconds = 30_000;
const closeDelayMilliseconds = 1000;

/**
 * Streams the one file of a multipart form, part `file`, to `onFile`, and answers what `onFile` answers. Any other form
 * is a 422 and a longer file a 413; `body` then fails with it before its end, so that a store which keeps only what
 * ended cleanly keeps nothing. `onFile` may refuse before it reads (403, 415): that comes after a 422, before a 413.
 */
export async function readSinglePart<T>(
  request: { headers: IncomingHttpHeaders; raw: Readable },
  onFile: (part: FilePart) => Promise<T>,
  options: { maxBytes: number },
): Promise<T> {
  const { raw } = request;
  // A connection may break off at a moment when nothing here is reading from it.
  raw.on("error", ignore);
  const parser = openParser(request.headers);
  if (parser === undefined) {
    void discard(raw);
    throw invalidForm("content-type", "must be multipart/form-data with a boundary");
  }

  const stopped = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const form: {
    failure?: Failure;
    refusal?: { error: unknown };
    part?: { stream: Readable; body: Readable; work: Promise<T> };
    rawBytes: number;
    fileBytes: number;
    /** What came before the file, and some of its bytes. */
    head: string;
  } = { rawBytes: 0, fileBytes: 0, head: "" };

  function fail(failure: Failure): void {
    if (form.failure !== undefined) return;
    form.failure = failure;
    form.part?.body.destroy(failure);
    parser?.destroy();
    stopped.resolve();
  }

  function acceptFile(name: string | undefined, stream: Readable, info: FileInfo): void {
    // busboy destroys the stream when the form breaks off; the parser's own error is the one that speaks.
    stream.on("error", ignore);
    // After a failure it still reads its chunk to the end, and nobody would end this stream.
    if (form.failure !== undefined) return;
    const filename = info.filename ?? "";
    const problem = findProblem({ name, filename, encoding: info.encoding });
    if (problem !== undefined) {
      fail(invalidForm("file", problem));
      return;
    }
    // Before the body has its listener, so that the byte that is too many does not reach it.
    stream.on("data", (chunk: Buffer) => {
      form.fileBytes += chunk.length;
      if (form.fileBytes > options.maxBytes) fail(fileTooLarge(options.maxBytes));
    });
    const body = holdBackEnd(stream);
    // busboy says text/plain, as the standard does; no client means that.
    const contentType = namesContentType(form.head) ? info.mimeType : undefined;
    const work = callAsync(onFile, { filename, contentType, body });
    form.part = { stream, body, work };
    // The rest of the form still has to be read, to know whether it is one.
    void work.then(
      () => body.destroy(),
      (error: unknown) => {
        if (form.failure === undefined) form.refusal = { error };
        body.destroy();
      },
    );
  }

  parser
    .on("file", acceptFile)
    .on("filesLimit", () => fail(invalidForm("file", "must be the only part of the form")))
    .on("fieldsLimit", () =>
      fail(invalidForm("file", "must be a file with a filename, and the form has no other fields")),
    )
    .on("partsLimit", () => fail(invalidForm("file", "must be the only part of the form")))
    .on("error", () => fail(brokenForm()))
    .on("close", closed.resolve);

  /** One chunk at a time, so that the parser runs inside this call, where an exception of its can be caught. */
  async function feed(chunk: Buffer): Promise<void> {
    form.rawBytes += chunk.length;
    if (form.part === undefined) form.head += chunk.toString("latin1", 0, maxOverheadBytes);
    const written = new Promise<void>((resolve) => parser?.write(chunk, () => resolve()));
    await Promise.race([written, stopped.promise]);
    const overheadBytes = form.rawBytes - form.fileBytes - (form.part?.stream.readableLength ?? 0);
    if (overheadBytes > maxOverheadBytes) fail(invalidForm("file", "is surrounded by too many other bytes"));
  }

  async function pump(): Promise<void> {
    try {
      for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
        await feed(chunk as Buffer);
        if (form.failure !== undefined) break;
      }
      if (form.failure === undefined) parser?.end();
    } catch {
      fail(brokenForm());
    }
    if (form.failure !== undefined) await discard(raw);
  }

  void pump();
  await Promise.race([closed.promise, stopped.promise]);
  if (form.part === undefined) fail(invalidForm("file", "is missing"));
  if (form.failure === undefined && form.part !== undefined) {
    form.part.body.push(null);
    return await form.part.work;
  }
  // Until the consumer has cleaned up, its half-written object could still be seen.
  await form.part?.work.catch(ignore);
  if (form.refusal !== undefined && form.failure?.code === "file_too_large") throw form.refusal.error;
  throw form.failure ?? brokenForm();
}

// busboy also takes urlencoded forms, and an empty boundary, which any line of dashes would match. The standard ends at
// 70 characters; some clients write a few more.
const formType = /^\s*multipart\/form-data\s*;(?:[^]*;)?\s*boundary=(?:"[^"]{1,200}"|[^\s;"]{1,200})\s*(?:;|$)/iu;

function openParser(headers: IncomingHttpHeaders): busboy.Busboy | undefined {
  if (!formType.test(headers["content-type"] ?? "")) return undefined;
  try {
    return busboy({
      headers,
      // Otherwise `../../etc/passwd` would become `passwd`, and we owe it a 403.
      preservePath: true,
      defParamCharset: "utf8",
      // Two parts, not one: busboy passes over parts that it cannot read without a word, but it counts them.
      limits: { files: 1, fields: 0, parts: 2 },
    });
  } catch {
    return undefined;
  }
}

/** Whether the headers of the one part have it: those after the first boundary. */
function namesContentType(head: string): boolean {
  const start = /(?:^|\r\n)--[^\r\n]+\r\n/u.exec(head);
  if (start === null) return true;
  const first = start.index + start[0].length;
  const end = head.indexOf("\r\n\r\n", first);
  return /^content-type[ \t]*:/imu.test(head.slice(first, end === -1 ? head.length : end));
}

function findProblem(part: { name: string | undefined; filename: string; encoding: string }): string | undefined {
  if (part.name !== "file") return "must be the name of the part; this part has another name, or none";
  if (part.filename === "") return "must have a filename";
  // busboy does not decode: what is stored would be the base64 text.
  if (!["7bit", "8bit", "binary"].includes(part.encoding)) return "must not have a content transfer encoding";
  return undefined;
}

/** The same bytes with the same back-pressure, but without an end: the caller pushes it. */
function holdBackEnd(stream: Readable): Readable {
  const body = new Readable({
    read: () => void stream.resume(),
    destroy(error, done) {
      // A body that nobody reads must not stop the form.
      stream.resume();
      done(error);
    },
  });
  // The failure reaches the caller of readSinglePart, also when the consumer does not listen yet.
  body.on("error", ignore);
  stream.on("data", (chunk: Buffer) => {
    if (!body.destroyed && !body.push(chunk)) stream.pause();
  });
  return body;
}

async function discard(raw: Readable): Promise<void> {
  const timer = setTimeout(() => raw.destroy(), maxDiscardMilliseconds).unref();
  let bytes = 0;
  try {
    // The default iterator takes the socket from a request that it leaves early, and nothing could close it any more.
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes <= maxDiscardedBytes) continue;
      // The answer may not be out yet.
      await delay(closeDelayMilliseconds, undefined, { ref: false });
      raw.destroy();
      return;
    }
  } catch {
    // The client went away, or its time was up.
  } finally {
    clearTimeout(timer);
  }
}

async function callAsync<Argument, T>(call: (argument: Argument) => Promise<T>, argument: Argument): Promise<T> {
  return await call(argument);
}

function invalidForm(path: string, message: string): Failure {
  return new Failure(
    "invalid_request",
    'The upload is not valid. Send multipart/form-data with exactly one part: a file named "file", with a filename.',
    { details: [{ path, message }] },
  );
}

function brokenForm(): Failure {
  return invalidForm("body", "is malformed, or ends before the form does");
}

function fileTooLarge(maxBytes: number): Failure {
  return new Failure(
    "file_too_large",
    `The file is larger than ${formatExactSize(maxBytes)}, the most that a direct upload may have. ` +
      "Request a presigned URL with POST /api/integrations/uploads/url and PUT the file there.",
  );
}

function ignore(): void {}
