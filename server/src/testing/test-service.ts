import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../config.ts";
import type { Mode } from "../db/tables.ts";
import { startService, type Service } from "../main.ts";
import { createKey } from "../workspaces/manage-keys.ts";
import { createWorkspace } from "../workspaces/manage-workspaces.ts";
import { createTestDatabase } from "./test-database.ts";

export type Answer = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

export type TestWorkspace = {
  workspaceId: string;
  keys: Record<Mode, string>;
  /** Calls below `/api/integrations`, with the live key unless told otherwise. A body that is no string is sent as JSON. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
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
    now?: () => Date;
    rateClock?: () => Date;
  } = {},
): Promise<TestService> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "greenlit-test-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const database = stack.use(await createTestDatabase());
  const { config } = readConfig({
    GREENLIT_PORT: "0",
    GREENLIT_STORE_PORT: "0",
    GREENLIT_DATA_DIR: folder,
    DATABASE_URL: database.url,
    ...options.env,
  });
  const service = stack.use(
    await startService({
      config,
      role: "all",
      ...(options.now && { now: options.now }),
      ...(options.rateClock && { rateClock: options.rateClock }),
    }),
  );
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
      return {
        workspaceId,
        keys,
        call: (method, path, { mode = "live", key = keys[mode], headers = {}, body } = {}) =>
          call(`${url}/api/integrations${path}`, {
            method,
            headers: {
              ...(key !== null && { "x-api-key": key }),
              ...(body !== undefined && { "content-type": "application/json" }),
              ...headers,
            },
            ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
          }),
      };
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
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
