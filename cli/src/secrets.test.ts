import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "@greenlit/engine/testing/until.ts";

const program = fileURLToPath(new URL("../bin/greenlit.js", import.meta.url));

test("no secret is in the arguments of any process, in the log or in what serve prints later", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "greenlit-secrets-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const receiver = createServer((request, response) => request.resume().on("end", () => response.end()));
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  stack.defer(() => void receiver.close());
  const secretKey = "c0ffee".repeat(11).slice(0, 64);
  const oidcSecret = "oidc-secret-8c1f2a";
  const modelKey = "model-key-4d90e1";
  const collectorToken = "collector-token-77ab3c";
  const elsewhere = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, [program, "serve", "--json"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      GREENLIT_DATA_DIR: join(folder, "data"),
      GREENLIT_PORT: "0",
      GREENLIT_STORE_PORT: "0",
      GREENLIT_LOG_LEVEL: "debug",
      GREENLIT_SECRET_KEY: secretKey,
      GREENLIT_OIDC_ISSUER: "https://login.invalid",
      GREENLIT_OIDC_CLIENT_ID: "greenlit",
      GREENLIT_OIDC_CLIENT_SECRET: oidcSecret,
      GREENLIT_LLM_URL: elsewhere,
      GREENLIT_LLM_KEY: modelKey,
      GREENLIT_LLM_MODEL: "reader",
      OTEL_EXPORTER_OTLP_ENDPOINT: elsewhere,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${collectorToken}`,
      GREENLIT_WEBHOOK_HTTP: "true",
      GREENLIT_WEBHOOK_ALLOW: "127.0.0.0/8",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  stack.defer(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => (printed += bytes.toString()));
  await until(() => printed.includes("}\n") || child.exitCode !== null);
  // The first start shows the keys, once and on purpose.
  const started = JSON.parse(printed) as {
    apiUrl: string;
    setupUrl: string;
    firstWorkspace: { liveKey: string; sandboxKey: string };
  };
  const { liveKey, sandboxKey } = started.firstWorkspace;
  printed = "";
  const watcher = watchArguments(child.pid ?? 0);
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { "x-api-key": liveKey, ...(init.headers as Record<string, string>) };
    const answer = await fetch(`${started.apiUrl}/api/integrations${path}`, { ...init, headers });
    return { headers: answer.headers, json: (await answer.json()) as Record<string, unknown> };
  };
  const post = (path: string, body: unknown) =>
    call(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    });

  const url = `${elsewhere}/hook?token=hook-token-51b7`;
  const webhook = await post("/webhooks", { url, eventTypes: ["asset.processing.completed"] });
  const setupToken = new URL(started.setupUrl).hash.replace("#setup=", "");
  const password = "a long passphrase 7731";
  const admin = await post("/setup", { token: setupToken, email: "a@example.com", name: "A", password });
  const upload = await post("/uploads/url", { filename: "copy.txt", contentType: "text/plain" });
  const uploadUrl = String(upload.json["uploadUrl"] ?? upload.json["url"]);
  const form = new FormData();
  form.set(
    "file",
    new File(["Confidential: this copper bracelet cures arthritis."], "launch.txt", { type: "text/plain" }),
  );
  const direct = await call("/uploads/direct", { method: "POST", body: form });
  const submission = await post("/submissions", { assets: [{ blobPath: direct.json["blobPath"] }] });
  await until(async () => {
    const { status } = (await call(`/submissions/${String(submission.json["submissionId"])}`)).json;
    return status === "complete" || status === "failed";
  });
  await fetch(`${started.apiUrl}/api/integrations/limits`, { headers: { "x-api-key": "sk_live_wrong-key-99e1" } });
  child.kill("SIGTERM");
  await ended;
  const seen = await watcher.stop();
  const log = await readFile(join(folder, "data/logs/greenlit.log"), "utf8");

  const cookie = /greenlit=([\w-]{20,})/.exec(admin.headers.get("set-cookie") ?? "")?.[1];
  const secrets = {
    "the live key": liveKey,
    "the sandbox key": sandboxKey,
    "the secret key": secretKey,
    "the secret of single sign-on": oidcSecret,
    "the key of the language model": modelKey,
    "the token of the collector": collectorToken,
    "the database's password": (await readFile(join(folder, "data/postgres.password"), "utf8")).trim(),
    "the webhook's secret": webhook.json["secret"],
    "the token in a webhook's URL": "hook-token-51b7",
    "the setup token": setupToken,
    "a password": password,
    "a session": cookie,
    "the signature of an upload URL": new URL(uploadUrl).searchParams.get("sig"),
    "a wrong key": "wrong-key-99e1",
    "the text of a file": "copper bracelet",
  };
  assert.match(log, /"asset complete"/);
  assert.ok(seen.size > 3, `only ${[...seen].join(" | ")} was seen`);
  for (const [name, secret] of Object.entries(secrets)) {
    assert.ok(typeof secret === "string" && secret.length >= 10, `${name} is not known: ${String(secret)}`);
    assert.ok(!log.includes(secret), `${name} is in the log`);
    assert.ok(!printed.includes(secret), `${name} is printed`);
    for (const line of seen) assert.ok(!line.includes(secret), `${name} is in the arguments of ${line}`);
  }
});

/** Looks again and again at the arguments of every process that descends from this one. */
function watchArguments(root: number): { stop(): Promise<Set<string>> } {
  const seen = new Set<string>();
  const stop = new AbortController();
  const watching = (async () => {
    const family = new Set([root]);
    while (!stop.signal.aborted) {
      for (const name of await readdir("/proc")) {
        const pid = Number(name);
        if (!Number.isInteger(pid)) continue;
        const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
        const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0);
        if (family.has(parent)) family.add(pid);
        if (!family.has(pid)) continue;
        const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
        if (line !== "") seen.add(line.replaceAll("\0", " "));
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    async stop() {
      stop.abort();
      await watching;
      return seen;
    },
  };
}
