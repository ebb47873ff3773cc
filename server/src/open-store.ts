import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { explainListenError } from "./listen-error.ts";
import { startFolderGateway } from "./storage/folder-gateway.ts";
import { openFolderStore } from "./storage/folder-store.ts";
import type { Store } from "./storage/store.ts";

/** The store that the configuration names, with the embedded one's listener where this process serves requests. */
export async function openStore(options: {
  config: Config;
  role: "all" | "api" | "worker";
  dataFolder: string;
  signingKey: Buffer;
  now: () => Date;
  log: Logger;
}): Promise<{ store: Store; url: string | undefined } & AsyncDisposable> {
  const { config, role, signingKey, now, log } = options;
  await using stack = new AsyncDisposableStack();
  let url: string | undefined;
  const store = stack.use(
    await openFolderStore({
      root: join(options.dataFolder, "store"),
      publicUrl: () => url ?? "",
      signingKey,
      unclaimedQuotaBytes: config.unclaimedQuotaGb * 1024 ** 3,
    }),
  );
  if (role !== "worker") {
    const { host, storePort: port, storePublicUrl: publicUrl } = config;
    try {
      const gateway = stack.use(
        await startFolderGateway({
          store,
          host,
          port,
          publicUrl,
          signingKey,
          clock: now,
          ...(config.storeCorsOrigins.length > 0 && { corsOrigins: config.storeCorsOrigins }),
          onError: (error, requestId) => log.error({ err: error, requestId }, "store request failed"),
        }),
      );
      url = gateway.url;
    } catch (error) {
      throw explainListenError(error, { host, port, variable: "GREENLIT_STORE_PORT" });
    }
  }
  const parts = stack.move();
  return { store, url, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
