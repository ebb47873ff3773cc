import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createTestDatabase } from "@greenlit/server/testing/test-database.ts";

const program = fileURLToPath(new URL("../bin/greenlit.js", import.meta.url));

test("a service that may open 256 files finishes some of 120 uploads at once, refuses others with 503 and logs why", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "greenlit-files-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const database = stack.use(await createTestDatabase());
  const service = await startLimited(stack, { folder, databaseUrl: database.url, openFiles: 256 });

  const refused = Promise.withResolvers<void>();
  const outcomes = await Promise.all(
    Array.from({ length: 120 }, async () => {
      const outcome = await uploadInTwoHalves(service, refused.promise);
      if (outcome === "503") refused.resolve();
      return outcome;
    }),
  );

  const counts = new Map(outcomes.map((outcome) => [outcome, outcomes.filter((other) => other === outcome).length]));
  const told = JSON.stringify([...counts]);
  assert.ok((counts.get("201") ?? 0) > 10, told);
  assert.ok((counts.get("503") ?? 0) > 0, told);
  assert.deepEqual(
    [...counts.keys()].filter((outcome) => !["201", "503", "closed"].includes(outcome)),
    [],
  );
  assert.match(service.stderr(), /may open 256 files, and needs \d+ .*ulimit -n/);
  const log = await readFile(join(folder, "logs", "greenlit.log"), "utf8");
  assert.match(log, /too many open files: the limit is 256; raise it with ulimit -n/);
});

type Limited = { apiUrl: string; key: string; stderr: () => string };

async function startLimited(
  stack: AsyncDisposableStack,
  options: { folder: string; databaseUrl: string; openFiles: number },
): Promise<Limited> {
  const { folder, databaseUrl, openFiles } = options;
  const limited = `ulimit -n ${openFiles}; exec "$0" "$@"`;
  const child = spawn("/bin/sh", ["-c", limited, process.execPath, program, "serve", "--json"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      DATABASE_URL: databaseUrl,
      GREENLIT_DATA_DIR: folder,
      GREENLIT_PORT: "0",
      GREENLIT_STORE_PORT: "0",
      GREENLIT_ALLOW_NO_JAIL: "true",
    },
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  stack.defer(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  let line = "";
  for await (const chunk of child.stdout) {
    line += String(chunk);
    if (line.includes("\n")) break;
  }
  assert.ok(line.startsWith("{"), stderr);
  const { apiUrl, firstWorkspace } = JSON.parse(line) as { apiUrl: string; firstWorkspace: { liveKey: string } };
  return { apiUrl, key: firstWorkspace.liveKey, stderr: () => stderr };
}

/** Its second half comes when another upload was refused, so that as many as can be are open at once. */
function uploadInTwoHalves({ apiUrl, key }: Limited, refused: Promise<void>): Promise<string> {
  const boundary = "greenlit";
  const opening = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n`;
  return new Promise((resolve) => {
    const upload = request(`${apiUrl}/api/integrations/uploads/direct`, {
      method: "POST",
      agent: false,
      headers: { "x-api-key": key, "content-type": `multipart/form-data; boundary=${boundary}` },
    });
    upload.on("response", (response) => {
      response.resume().on("error", () => {});
      resolve(String(response.statusCode));
    });
    upload.on("error", () => resolve("closed"));
    upload.write(`${opening}First half`);
    void refused.then(() => upload.end(`, second half.\r\n--${boundary}--\r\n`));
  });
}
