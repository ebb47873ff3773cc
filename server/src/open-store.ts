import { join } from "node:path";
import type { Logger } from "pino";
import { ConfigError, type Config } from "./config.ts";
import { isOutOfFiles, limitConnections, outOfFilesLine } from "./open-files.ts";
import type { UploadRoom } from "./open-uploads.ts";
import { explainListenError } from "./listen-error.ts";
import type { AzureStoreOptions } from "./storage/azure/azure-store.ts";
import { startFolderGateway } from "./storage/folder/folder-gateway.ts";
import { openFolderStore } from "./storage/folder/folder-store.ts";
import type { S3StoreOptions } from "./storage/s3/s3-store.ts";
import type { RemoteStoreKind, Store } from "./storage/store.ts";

type Options = {
  config: Config;
  role: "all" | "api" | "worker";
  dataFolder: string;
  signingKey: Buffer;
  now: () => Date;
  log: Logger;
  uploadRoom: UploadRoom;
  maxConnections: number;
};

/** Undefined URL: the store is somewhere else, or this process does not serve it. */
export type OpenedStore = { store: Store; url: string | undefined } & AsyncDisposable;

/** The store that the configuration names. */
export async function openStore(options: Options): Promise<OpenedStore> {
  const remote = await openRemoteStore(options.config);
  if (!remote) return openFolder(options);
  return { store: remote, url: undefined, [Symbol.asyncDispose]: () => remote[Symbol.asyncDispose]() };
}

/** Loaded only where they are used: the two SDKs take 30 MB. */
const remoteStores: Record<RemoteStoreKind, (config: Config) => Promise<Store>> = {
  azure: async (config) => (await import("./storage/azure/azure-store.ts")).openAzureStore(azureOptions(config)),
  s3: async (config) => (await import("./storage/s3/s3-store.ts")).openS3Store(s3Options(config)),
};

/** Undefined when it is the embedded one. */
export async function openRemoteStore(config: Config): Promise<Store | undefined> {
  return config.store === "folder" ? undefined : remoteStores[config.store](config);
}

/** The embedded one, with its listener where this process serves requests. */
async function openFolder(options: Options): Promise<OpenedStore> {
  const { config, role, dataFolder, signingKey, now, log, uploadRoom, maxConnections } = options;
  await using stack = new AsyncDisposableStack();
  let url: string | undefined = config.storePublicUrl;
  const store = stack.use(
    await openFolderStore({
      root: join(dataFolder, "store"),
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
          uploadsPerWorkspace: config.uploadsPerKey,
          uploadRoom,
          limitConnections: (server) => limitConnections(server, { max: maxConnections, log }),
          minBytesPerSecond: config.uploadMinRate,
          ...(config.storeCorsOrigins.length > 0 && { corsOrigins: config.storeCorsOrigins }),
          onAnswer: ({ error, ...outcome }) =>
            error === undefined
              ? log[outcome.status >= 500 ? "error" : "info"](outcome, "store request")
              : log.error({ ...outcome, err: error }, isOutOfFiles(error) ? outOfFilesLine() : "store request failed"),
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

function azureOptions(config: Config): AzureStoreOptions {
  const { azureConnectionString, azureAccount, azureKey, azureEndpoint, azureContainer: container } = config;
  if (azureConnectionString)
    return { account: { connectionString: azureConnectionString }, container, createContainer: true };
  if (!azureAccount || !azureKey)
    throw new ConfigError(
      "GREENLIT_STORE=azure needs GREENLIT_AZURE_CONNECTION_STRING, or GREENLIT_AZURE_ACCOUNT and GREENLIT_AZURE_KEY.",
    );
  return { account: { name: azureAccount, key: azureKey, endpoint: azureEndpoint }, container, createContainer: true };
}

function s3Options(config: Config): S3StoreOptions {
  const { s3Bucket, s3Region, s3Endpoint, s3PathStyle, s3AccessKeyId, s3SecretAccessKey } = config;
  if (!s3Bucket) throw new ConfigError("GREENLIT_STORE=s3 needs GREENLIT_S3_BUCKET.");
  if (Boolean(s3AccessKeyId) !== Boolean(s3SecretAccessKey))
    throw new ConfigError(
      "GREENLIT_S3_ACCESS_KEY_ID and GREENLIT_S3_SECRET_ACCESS_KEY go together: set both or neither.",
    );
  return {
    bucket: s3Bucket,
    region: s3Region,
    endpoint: s3Endpoint,
    forcePathStyle: s3PathStyle,
    credentials:
      s3AccessKeyId && s3SecretAccessKey
        ? { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }
        : undefined,
  };
}
