import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as httpRequest } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { after, before, beforeEach, describe, test } from "node:test";
import { Failure } from "../failure.ts";
import { type FilePart, readSinglePart } from "./multipart.ts";

const maxBytes = 1024 * 1024;
const boundary = "----WebKitFormBoundary7MA4YWxkTrZu0gW";
const formType = `multipart/form-data; boundary=${boundary}`;

type Stored = { filename: string; contentType: string | undefined; bytes: Buffer };
type Answer = { status: number; body: Record<string, unknown> };

/** What the next requests do with the file; the default keeps it when its body ends cleanly. */
let onFile: (part: FilePart) => Promise<void>;
let stored: Stored[] = [];
let bytesRead = () => 0;
let settled = Promise.withResolvers<unknown>();

async function keep({ filename, contentType, body }: FilePart): Promise<void> {
  stored.push({ filename, contentType, bytes: await buffer(body) });
}

const server = createServer((request, response) => {
  const { socket } = request;
  const bytesBefore = socket.bytesRead;
  bytesRead = () => socket.bytesRead - bytesBefore;
  void readSinglePart({ headers: request.headers, raw: request }, async (part) => await onFile(part), {
    maxBytes,
  }).then(
    () => {
      settled.resolve("stored");
      response.writeHead(201).end("{}");
    },
    (error: unknown) => {
      settled.resolve(error);
      const answer =
        error instanceof Failure
          ? { status: error.status, code: error.code, message: error.message, details: error.options.details }
          : { status: 500, message: String(error) };
      response.writeHead(answer.status).end(JSON.stringify(answer));
    },
  );
});
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(() => {
  agent.destroy();
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  onFile = keep;
  stored = [];
  bytesRead = () => 0;
  settled = Promise.withResolvers();
});

function port(): number {
  return (server.address() as AddressInfo).port;
}

/** Sends a body as it is, in pieces when it is a list. */
async function post(
  body: Buffer | string | readonly Buffer[],
  options: { contentType?: string | undefined; signal?: AbortSignal } = {},
): Promise<Answer> {
  const contentType = "contentType" in options ? options.contentType : formType;
  const sent = httpRequest({
    port: port(),
    method: "POST",
    agent,
    headers: contentType === undefined ? {} : { "content-type": contentType },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  Readable.from(Array.isArray(body) ? body : [typeof body === "string" ? Buffer.from(body) : body]).pipe(sent);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) as Record<string, unknown> };
}

function part(options: { headers?: string; content?: Buffer | string } = {}): Buffer {
  const headers =
    options.headers ?? 'Content-Disposition: form-data; name="file"; filename="clip.mp4"\r\nContent-Type: video/mp4';
  const content = options.content ?? "some bytes";
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`),
    typeof content === "string" ? Buffer.from(content) : content,
    Buffer.from("\r\n"),
  ]);
}

const end = `--${boundary}--\r\n`;

function form(...parts: (Buffer | string)[]): Buffer {
  return Buffer.concat([...parts, end].map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
}

function named(disposition: string): Buffer {
  return form(
    part({ headers: `Content-Disposition: form-data; name="file"; ${disposition}\r\nContent-Type: video/mp4` }),
  );
}

describe("a valid form", () => {
  test("is streamed and kept, with its name and type", async () => {
    const answer = await post(form(part()));

    assert.equal(answer.status, 201);
    assert.deepEqual(stored, [{ filename: "clip.mp4", contentType: "video/mp4", bytes: Buffer.from("some bytes") }]);
  });

  test("as fetch and its FormData send it", async () => {
    const data = new FormData();
    data.append("file", new File(["abc"], "Crème 🎬 (1).mp4", { type: "video/mp4" }));

    const answer = await fetch(`http://127.0.0.1:${port()}/`, { method: "POST", body: data });

    assert.equal(answer.status, 201);
    assert.equal(stored[0]?.filename, "Crème 🎬 (1).mp4");
  });

  test("as curl sends it, in one chunk after its headers", async () => {
    const body = [
      "--------------------------d74496d66958873e",
      'Content-Disposition: form-data; name="file"; filename="say \\"hi\\".mp4"',
      "Content-Type: video/mp4",
      "",
      "abc",
      "--------------------------d74496d66958873e--",
      "",
    ].join("\r\n");

    const answer = await post(body, {
      contentType: "multipart/form-data; boundary=------------------------d74496d66958873e",
    });

    assert.equal(answer.status, 201);
    assert.equal(stored[0]?.filename, 'say "hi".mp4');
  });

  const names: [string, string][] = [
    ['filename="../../etc/passwd"', "../../etc/passwd"],
    ['filename="C:\\\\dir\\\\clip.mp4"', "C:\\dir\\clip.mp4"],
    ['filename="/etc/passwd"', "/etc/passwd"],
    ["filename=clip.mp4", "clip.mp4"],
    ['filename="日本語.mp4"', "日本語.mp4"],
    ["filename*=UTF-8''Cr%C3%A8me%20br%C3%BBl%C3%A9e.mp4", "Crème brûlée.mp4"],
    ["filename=\"creme.mp4\"; filename*=UTF-8''Cr%C3%A8me.mp4", "Crème.mp4"],
    ["filename*=iso-8859-1''Cr%E8me.mp4", "Crème.mp4"],
    ['filename="50%25 off; or=more.mp4"', "50%25 off; or=more.mp4"],
  ];
  for (const [disposition, filename] of names) {
    test(`hands on the whole name of ${disposition}`, async () => {
      assert.equal((await post(named(disposition))).status, 201);
      assert.equal(stored[0]?.filename, filename);
    });
  }

  test("may hold an empty file", async () => {
    assert.equal((await post(form(part({ content: "" })))).status, 201);
    assert.equal(stored[0]?.bytes.length, 0);
  });

  test("may hold bytes that look like a boundary, and arrive byte by byte", async () => {
    const content = Buffer.from(`\r\n--\r\n------WebKit\r\n\r\n--${boundary.slice(0, -1)}\0\xFF\r\n`, "latin1");
    const bytes = form(part({ content }));

    assert.equal((await post(Array.from(bytes, (byte) => Buffer.of(byte)))).status, 201);
    assert.deepEqual(stored[0]?.bytes, content);
  });

  test("may have a preamble and an epilogue", async () => {
    assert.equal(
      (await post(Buffer.concat([Buffer.from("preamble\r\n"), form(part()), Buffer.from("epilogue")]))).status,
      201,
    );
  });

  test("may be as large as the cap", async () => {
    assert.equal((await post(form(part({ content: Buffer.alloc(maxBytes) })))).status, 201);
    assert.equal(stored[0]?.bytes.length, maxBytes);
  });
});

describe("422, and nothing is kept,", () => {
  const field = part({ headers: 'Content-Disposition: form-data; name="title"' });
  const whole = form(part({ content: Buffer.alloc(200_000, "x") }));
  const bodies: [string, Buffer | string][] = [
    ["for an empty body", ""],
    ["for no part", end],
    ["for something else", "hello"],
    ["for JSON", '{"file":1}'],
    ["for a field alone", form(field)],
    ["for a field before the file", form(field, part())],
    ["for a field after the file", form(part(), field)],
    ["for two files", form(part(), part())],
    ["for a file after a long file", form(part({ content: Buffer.alloc(900_000) }), part())],
    ["for another name", form(part({ headers: 'Content-Disposition: form-data; name="upload"; filename="a.mp4"' }))],
    ["for no name", form(part({ headers: 'Content-Disposition: form-data; filename="a.mp4"' }))],
    ["for no filename", form(part({ headers: 'Content-Disposition: form-data; name="file"' }))],
    ["for an empty filename", named('filename=""')],
    [
      "for the empty choice of a browser",
      form(
        part({
          headers: 'Content-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream',
        }),
      ),
    ],
    ["for a part without a disposition", form(part({ headers: "Content-Type: video/mp4" }))],
    ["for an unreadable part after the file", form(part(), part({ headers: "Content-Disposition: form-data; name=" }))],
    ["for an unreadable part before the file", form(part({ headers: "X: y" }), part())],
    ["for an unreadable charset", named("filename*=klingon''a.mp4")],
    ["for base64", named('filename="a.mp4"\r\nContent-Transfer-Encoding: base64')],
    ["for a malformed header", form(part({ headers: "Content Disposition: form-data" }))],
    ["for an endless header", form(part({ headers: `X: ${"y".repeat(20_000)}` }))],
    ["for bare line feeds", form(part()).toString().replaceAll("\r\n", "\n")],
    ["for a boundary inside the file", form(part({ content: `a\r\n--${boundary}b` }))],
    ["for a body cut in the headers", whole.subarray(0, 80)],
    ["for a body cut in the file", whole.subarray(0, 100_000)],
    ["for a body cut before the last boundary", whole.subarray(0, -end.length)],
    ["for a body cut in the last boundary", whole.subarray(0, -4)],
    ["for a long preamble", Buffer.concat([Buffer.alloc(100_000, "x"), Buffer.from("\r\n"), form(part())])],
    ["for a long epilogue", Buffer.concat([form(part()), Buffer.alloc(100_000, "x")])],
  ];
  for (const [what, body] of bodies) {
    test(what, async () => {
      const answer = await post(body);

      assert.equal(answer.status, 422);
      assert.equal(answer.body["code"], "invalid_request");
      assert.ok(Array.isArray(answer.body["details"]) && answer.body["details"].length === 1);
      assert.deepEqual(stored, []);
    });
  }

  const contentTypes: (string | undefined)[] = [
    undefined,
    "",
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary=""',
    "multipart/mixed; boundary=x",
    "multipart/form-dataset; boundary=x",
    `multipart/form-data; boundary=${"x".repeat(300)}`,
    `${formType}${"x".repeat(300)}`,
    "multipart/form-data; boundary=a b",
    "; boundary=x",
  ];
  for (const contentType of contentTypes) {
    test(`for the content type ${JSON.stringify(contentType)?.slice(0, 60)}`, async () => {
      const answer = await post(form(part()), { contentType });

      assert.equal(answer.status, 422);
      assert.deepEqual(stored, []);
    });
  }

  test("after which the connection serves the next request", async () => {
    for (let round = 0; round < 20; round++) {
      assert.equal((await post(form(part(), part()))).status, 422);
      assert.equal((await post(form(part()))).status, 201);
    }
  });
});

describe("the cap", () => {
  test("413 for one byte more, pointing to the presigned URL, and nothing is kept", async () => {
    const answer = await post(form(part({ content: Buffer.alloc(maxBytes + 1) })));

    assert.equal(answer.status, 413);
    assert.equal(answer.body["code"], "file_too_large");
    assert.match(String(answer.body["message"]), /1 MB.+POST \/api\/integrations\/uploads\/url/u);
    assert.deepEqual(stored, []);
  });

  test("413 as soon as it is passed, while the client still sends", async () => {
    const socket = await openRequest();
    socket.write(part({ content: Buffer.alloc(maxBytes + 100_000) }));

    const answer = await readAnswer(socket);

    assert.match(answer, /^HTTP\/1.1 413 /u);
    socket.destroy();
  });

  test("ends the connection of a client that never stops", async () => {
    const socket = await openRequest();
    socket.write(part({ content: "" }).subarray(0, -2));
    socket.on("error", () => undefined).resume();
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const chunk = Buffer.alloc(1024 * 1024);
    let sentBytes = 0;
    while (!socket.destroyed) {
      sentBytes += chunk.length;
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
    }

    assert.ok(sentBytes > 64 * 1024 * 1024 && sentBytes < 200 * 1024 * 1024, `${sentBytes}`);
    assert.deepEqual(stored, []);
  });

  test("a consumer that does not read holds the client back", async () => {
    const mayRead = Promise.withResolvers<void>();
    onFile = async (file) => {
      await mayRead.promise;
      await keep(file);
    };
    const content = Buffer.alloc(maxBytes);
    const answer = post(form(part({ content })));
    const isQuiet = async () => {
      const before = bytesRead();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return before > 0 && before === bytesRead();
    };
    while (!(await isQuiet()));

    assert.ok(bytesRead() < 600_000, `${bytesRead()}`);
    mayRead.resolve();
    assert.equal((await answer).status, 201);
    assert.equal(stored[0]?.bytes.length, maxBytes);
  });
});

describe("onFile", () => {
  const refusal = new Failure("invalid_filename", "No such name.");

  test("403 when it refuses before it reads", async () => {
    onFile = async () => await Promise.reject(refusal);

    assert.equal((await post(form(part({ content: Buffer.alloc(500_000) })))).status, 403);
  });

  test("403 when it throws at once", async () => {
    onFile = () => {
      throw refusal;
    };

    assert.equal((await post(form(part()))).status, 403);
  });

  test("403 before 413", async () => {
    onFile = async () => await Promise.reject(refusal);

    assert.equal((await post(form(part({ content: Buffer.alloc(maxBytes * 2) })))).status, 403);
  });

  test("422 before 403", async () => {
    onFile = async () => await Promise.reject(refusal);

    assert.equal((await post(form(part({ content: Buffer.alloc(500_000) }), part()))).status, 422);
  });

  test("415 when it refuses what it has read", async () => {
    onFile = async ({ body }) => {
      await buffer(body);
      throw new Failure("content_does_not_match_type", "Something else.");
    };

    assert.equal((await post(form(part()))).status, 415);
  });

  test("its unexpected errors are passed on", async () => {
    onFile = async ({ body }) => {
      body.destroy();
      await Promise.reject(new Error("disk full"));
    };

    const answer = await post(form(part({ content: Buffer.alloc(500_000) })));

    assert.equal(answer.status, 500);
    assert.equal(answer.body["message"], "Error: disk full");
  });

  test("may leave the body alone, or destroy it", async () => {
    onFile = async () => await Promise.resolve();
    assert.equal((await post(form(part({ content: Buffer.alloc(500_000) })))).status, 201);

    onFile = async ({ body }) => {
      body.destroy();
      await Promise.resolve();
    };
    assert.equal((await post(form(part({ content: Buffer.alloc(500_000) })))).status, 201);
  });

  test("sees the body fail with the 422 before it ends", async () => {
    const seen = Promise.withResolvers<unknown>();
    onFile = async ({ body }) => {
      body.on("end", () => seen.resolve("end"));
      await buffer(body).catch((error: unknown) => {
        seen.resolve(error);
        throw error;
      });
    };

    await post(form(part(), part()));

    assert.ok(((await seen.promise) as Failure).code === "invalid_request");
  });

  test("is waited for when the form fails, so that it can clean up", async () => {
    const steps: string[] = [];
    onFile = async ({ body }) => {
      await buffer(body).catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push("cleaned");
    };

    assert.equal((await post(form(part(), part()))).status, 422);
    assert.deepEqual(steps, ["cleaned"]);
  });
});

describe("a client", () => {
  for (const [status, refuse] of [
    [413, keep],
    [403, async () => await Promise.reject(new Failure("invalid_filename", "No."))],
    [422, keep],
  ] as const) {
    test(`gets its ${status} also when it writes 50 MB before it reads`, async () => {
      onFile = refuse;
      const socket = await openRequest();
      socket.pause();
      const bytes = Buffer.concat([
        status === 422 ? part() : Buffer.alloc(0),
        part({ content: Buffer.alloc(50 * 1024 * 1024) }),
      ]);
      await new Promise((resolve) => socket.write(bytes, resolve));

      assert.match(await readAnswer(socket), new RegExp(`^HTTP/1.1 ${status} `, "u"));
      socket.destroy();
    });
  }

  test("that goes away in the middle leaves nothing behind, and the request settles", async () => {
    const socket = await openRequest();
    const started = Promise.withResolvers<void>();
    onFile = async (file) => {
      started.resolve();
      await keep(file);
    };
    socket.write(part({ content: Buffer.alloc(100_000) }));
    await started.promise;

    socket.destroy();

    assert.equal(((await settled.promise) as Failure).status, 422);
    assert.deepEqual(stored, []);
  });

  test("that stops sending and closes its half leaves nothing behind, and the request settles", async () => {
    const socket = await openRequest();

    socket.end(part({ content: Buffer.alloc(100_000) }));

    assert.equal(((await settled.promise) as Failure).status, 422);
    assert.deepEqual(stored, []);
    socket.destroy();
  });

  test("gets a 422 when its chunked body ends early", async () => {
    const socket = await openRequest("Transfer-Encoding: chunked");

    socket.write("5\r\n-----\r\n0\r\n\r\n");

    assert.match(await readAnswer(socket), /^HTTP\/1.1 422 /u);
    socket.destroy();
  });
});

async function openRequest(length = "Content-Length: 10000000000"): Promise<Socket> {
  const socket = connect(port(), "127.0.0.1");
  await once(socket, "connect");
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${formType}\r\n${length}\r\n\r\n`);
  return socket;
}

async function readAnswer(socket: Socket): Promise<string> {
  socket.resume();
  const [bytes] = (await once(socket, "data")) as [Buffer];
  return bytes.toString();
}

describe("fuzz", () => {
  const count = Number(process.env["GREENLIT_FUZZ_COUNT"] ?? 500);

  test(`${count} mutated forms each end with 2xx or 4xx`, { timeout: 240_000 + count * 20 }, async () => {
    const statuses = new Map<number, number>();
    let next = 1;
    async function runner(): Promise<void> {
      for (let seed = next++; seed <= count; seed = next++) {
        const random = randomFrom(seed);
        const { status } = await post(pieces(mutatedForm(random), random), {
          contentType: mutatedType(random),
          signal: AbortSignal.timeout(120_000),
        }).catch((error: unknown) => assert.fail(`seed ${seed}: ${String(error)}`));
        assert.ok((status >= 200 && status < 300) || (status >= 400 && status < 500), `seed ${seed}: ${status}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }

    await Promise.all(Array.from({ length: 8 }, runner));

    assert.equal(stored.length, statuses.get(201) ?? 0);
    console.log(Object.fromEntries(statuses));
  });
});

/** Whole numbers below the given one, the same for the same seed. */
type Random = (below: number) => number;

function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const fragments = [
  `\r\n--${boundary}`,
  `\r\n--${boundary}--`,
  `--${boundary}\r\n`,
  "\r\n",
  "\r",
  "\n",
  "--",
  "\0",
  '"',
  "\\",
  "%",
  ";",
  "\r\n\r\n",
  "filename*=UTF-8''%ff%fe",
  'Content-Disposition: form-data; name="file"; filename="x"',
  "Content-Type: ;;;",
  ": ",
  "\u00FF\u00FE",
] as const;

function mutatedForm(random: Random): Buffer {
  const content = Buffer.alloc(random(10) === 0 ? maxBytes + 100 : random(5000), random(256));
  let bytes: Buffer = form(part({ content }), ...(random(8) === 0 ? [part()] : []));
  // Mostly near the headers and the boundaries, where the parser has something to decide.
  const place = () =>
    random(3) === 0
      ? random(bytes.length)
      : random(2) === 0
        ? random(Math.min(220, bytes.length))
        : Math.max(0, bytes.length - 1 - random(70));
  for (let change = 1 + random(4); change > 0; change--) {
    const at = place();
    const fragment = Buffer.from(fragments[random(fragments.length)] ?? "", "latin1");
    const until = Math.min(bytes.length, at + 1 + random(40));
    const [start, cut, rest] = [bytes.subarray(0, at), bytes.subarray(at, until), bytes.subarray(until)];
    const kinds = [
      () => [start, Buffer.of(random(256)), bytes.subarray(at + 1)],
      () => [start, rest],
      () => [start, cut, cut, rest],
      () => [start, fragment, bytes.subarray(at)],
      () => [start, fragment, rest],
      () => [start],
      () => [rest, cut, start],
    ];
    bytes = Buffer.concat(kinds[random(kinds.length)]?.() ?? [bytes]);
  }
  return bytes;
}

function mutatedType(random: Random): string {
  if (random(10) > 0) return formType;
  const at = random(formType.length);
  return formType.slice(0, at) + String.fromCharCode(33 + random(94)) + formType.slice(at + random(3));
}

function pieces(bytes: Buffer, random: Random): Buffer[] {
  const cuts = Array.from({ length: random(6) }, () => random(bytes.length + 1)).toSorted(
    (left, right) => left - right,
  );
  return [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index] ?? bytes.length));
}
