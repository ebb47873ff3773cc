import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FolderGateway, type FolderGatewayOptions, startFolderGateway } from "./folder-gateway.ts";
import { type FolderStore, openFolderStore } from "./folder-store.ts";

export type TestGateway = AsyncDisposable & {
  store: FolderStore;
  gateway: FolderGateway;
  root: string;
  errors: unknown[];
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
  const settings = { drainSeconds: 1, onError: (error: unknown) => void errors.push(error), ...options };
  gateway = stack.use(await startFolderGateway({ ...settings, store, signingKey, host: "127.0.0.1", port: 0 }));
  const owned = stack.move();
  return { store, gateway, root, errors, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
