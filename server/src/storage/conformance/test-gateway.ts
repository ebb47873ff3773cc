import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import {
  type FolderGateway,
  type FolderGatewayOptions,
  type GatewayOutcome,
  startFolderGateway,
} from "../folder/folder-gateway.ts";
import { type FolderStore, openFolderStore } from "../folder/folder-store.ts";

export type TestGateway = AsyncDisposable & {
  store: FolderStore;
  gateway: FolderGateway;
  root: string;
  /** What the gateway did not expect. */
  errors: unknown[];
  signPut(key: string, options?: { maxBytes?: number; expiresAt?: Date }): Promise<string>;
  /** Every file of the store, by its path in the folder. */
  files(): Promise<string[]>;
};

/** A store in a folder of its own with its gateway on a free port, both gone at the end of the scope. */
export async function openTestGateway(
  options: Partial<FolderGatewayOptions> & {
    unclaimedQuotaBytes?: number;
    root?: string;
    signingKey?: Uint8Array;
  } = {},
): Promise<TestGateway> {
  await using stack = new AsyncDisposableStack();
  const root = options.root ?? (await mkdtemp(join(tmpdir(), "greenlit-store-")));
  if (!options.root) stack.defer(() => rm(root, { recursive: true, force: true }));
  const { unclaimedQuotaBytes = Infinity, signingKey = randomBytes(32) } = options;
  const errors: unknown[] = [];
  let gateway: FolderGateway | undefined;
  const publicUrl = () => gateway?.url ?? "";
  const store = stack.use(await openFolderStore({ root, publicUrl, signingKey, unclaimedQuotaBytes }));
  const onAnswer = (outcome: GatewayOutcome) => {
    if ("error" in outcome) errors.push(outcome.error);
  };
  const settings = { drainSeconds: 1, onAnswer, ...options };
  gateway = stack.use(await startFolderGateway({ ...settings, store, signingKey, host: "127.0.0.1", port: 0 }));
  const owned = stack.move();
  return {
    store,
    gateway,
    root,
    errors,
    signPut: (key, { maxBytes = 1024 ** 3, expiresAt = new Date(Date.now() + 3_600_000) } = {}) =>
      store.signPut(key, { expiresAt, maxBytes, contentType: "video/mp4" }),
    files: () => filesIn(root),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
