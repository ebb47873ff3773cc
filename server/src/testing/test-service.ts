import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@greenlit/engine/testing/until.ts";
import { readConfig } from "../config.ts";
import type { Mode } from "../db/tables.ts";
import { startService, type Service } from "../main.ts";
import type { Role } from "../open-ground.ts";
import { housekeepingQueue } from "../queue/queues.ts";
import { createKey } from "../workspaces/manage-keys.ts";
import { createWorkspace } from "../workspaces/manage-workspaces.ts";
import { createTestDatabase } from "./test-database.ts";

/** The sidekick that needs nothing but a probe. */
export const fileIntegrityId = "0f4c1f0e-6a3b-4c62-9d5e-1b7f0a2c9e01";

export type Answer = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

export type TestWorkspace = {
  workspaceId: string;
  keys: Record<Mode, string>;
  /** Calls below `/api/integrations`, with the live key by default. A body that is no string is sent as JSON. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Uploads directly, and gives the blob path. */
  upload(file?: {
    filename?: string;
    contentType?: string;
    bytes?: string | Uint8Array<ArrayBuffer>;
    mode?: Mode;
  }): Promise<string>;
  /** Creates a submission and gives the answer's body. */
  submit(submission: Record<string, unknown>, options?: CallOptions): Promise<Created>;
  /** Polls until the status is terminal. */
  finish(submissionId: string): Promise<Record<string, unknown> & { assets: Record<string, unknown>[] }>;
};

export type Created = {
  submissionId: string;
  workflowId: string;
  realtimeChannel: string;
  status: string;
  assets: { assetId: string; versionGroupId: string; versionNumber: number }[];
};

type CallOptions = { mode?: Mode; key?: string | null; headers?: Record<string, string>; body?: unknown };

export type TestService = Service & {
  url: string;
  fetch(path: string, init?: RequestInit): Promise<Answer>;
  newWorkspace(options?: { plan?: string; credits?: number }): Promise<TestWorkspace>;
};

/** The whole service on a database and a folder of its own, listening on free ports. */
export async function startTestService(
  options: {
    env?: Record<string, string>;
    /** `api`: nothing is analysed unless the test does it. */
    role?: Role;
    now?: () => Date;
    rateClock?: () => Date;
    databaseWaitMs?: number;
  } = {},
): Promise<TestService> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "greenlit-test-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // Given a DATABASE_URL, the service runs beside others on one database.
  const databaseUrl = options.env?.["DATABASE_URL"] ?? stack.use(await createTestDatabase({ isMigrated: true })).url;
  const { config } = readConfig({
    GREENLIT_PORT: "0",
    GREENLIT_STORE_PORT: "0",
    GREENLIT_DATA_DIR: folder,
    // Not into the report of the tests, whatever the role.
    GREENLIT_LOG: join(folder, "greenlit.log"),
    GREENLIT_SECRET_KEY: "5e".repeat(32),
    GREENLIT_STORE_SHARED: "true",
    // The suite also runs where no jail works; a test of its own says that a service refuses to.
    GREENLIT_ALLOW_NO_JAIL: "true",
    // The others read and listen for seconds; a test that is about them names them.
    GREENLIT_DEFAULT_SIDEKICKS: fileIntegrityId,
    ...testCache(),
    // Work beside the tests; the tests of it switch it on.
    GREENLIT_RENDITIONS: "false",
    DATABASE_URL: databaseUrl,
    ...options.env,
  });
  const service = stack.use(
    await startService({
      config,
      role: options.role ?? "all",
      // On a busy machine the service's own limit would answer 503 where a test expects something else.
      databaseWaitMs: options.databaseWaitMs ?? 60_000,
      ...(options.now && { now: options.now }),
      ...(options.rateClock && { rateClock: options.rateClock }),
    }),
  );
  // Once a minute it would remove things beneath a test, the more so where the test moves the clock.
  await service.app.queue.boss.unschedule(housekeepingQueue);
  const url = service.apiUrl ?? "";
  const parts = stack.move();

  return {
    ...service,
    url,
    fetch: (path, init) => call(url + path, init),
    async newWorkspace({ plan = "local", credits } = {}) {
      const { db } = service.app;
      const name = `test-${randomBytes(6).toString("hex")}`;
      const { workspaceId } = await createWorkspace(service.app, { name, plan, credits });
      const live = await createKey(db, { workspace: workspaceId, mode: "live" });
      const sandbox = await createKey(db, { workspace: workspaceId, mode: "sandbox" });
      const keys = { live: live.key, sandbox: sandbox.key };
      return testWorkspace({ workspaceId, keys, url });
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** One for all test files: to make it takes seconds, and to do without takes two for every analysis. */
export function testCache(): Record<string, string> {
  const folder = process.env["GREENLIT_TEST_CACHE"];
  return folder === undefined ? {} : { GREENLIT_CACHE_DIR: folder };
}

async function call(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, { redirect: "manual", ...init });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

function testWorkspace(options: { workspaceId: string; keys: Record<Mode, string>; url: string }): TestWorkspace {
  const { workspaceId, keys, url } = options;
  const callApi: TestWorkspace["call"] = (method, path, { mode = "live", key = keys[mode], headers = {}, body } = {}) =>
    call(`${url}/api/integrations${path}`, {
      method,
      headers: {
        ...(key !== null && { "x-api-key": key }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  return {
    workspaceId,
    keys,
    call: callApi,
    async upload({ filename = "note.txt", contentType = "text/plain", bytes = "A plain note.\n", mode = "live" } = {}) {
      const form = new FormData();
      form.set("file", new File([bytes], filename, { type: contentType }));
      const answer = await call(`${url}/api/integrations/uploads/direct`, {
        method: "POST",
        headers: { "x-api-key": keys[mode] },
        body: form,
      });
      assert.equal(answer.status, 201, answer.text);
      return answer.json["blobPath"] as string;
    },
    async submit(submission, options = {}) {
      const answer = await callApi("POST", "/submissions", { ...options, body: submission });
      assert.equal(answer.status, 201, answer.text);
      return answer.json as Created;
    },
    async finish(submissionId) {
      let last: Record<string, unknown> = {};
      const hasEnded = async () => {
        last = (await callApi("GET", `/submissions/${submissionId}`)).json;
        return last["status"] === "complete" || last["status"] === "failed";
      };
      // Every question takes processor time from the analysis.
      await until(hasEnded, { everyMs: 50 });
      return last as { assets: Record<string, unknown>[] };
    },
  };
}
