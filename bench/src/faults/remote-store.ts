import { newBucket } from "@greenlit/server/storage/conformance/test-bucket.ts";
import { startSwift } from "@greenlit/server/storage/conformance/test-swift.ts";
import { openS3Store } from "@greenlit/server/storage/s3/s3-store.ts";
import { checkStorage } from "@greenlit/server/uploads/check-storage.ts";

export type RemoteStore = {
  endpoint: URL;
  /** What the service needs to use it, at this address or by another way to it. */
  settings: (endpoint: URL) => Record<string, string>;
  compare: (databaseUrl: string) => ReturnType<typeof checkStorage>;
};

/** A bucket of an S3 server in a process of its own. Throws where there is none: only root can install it on Debian. */
export async function startRemoteStore(stack: AsyncDisposableStack): Promise<RemoteStore> {
  const { account } = stack.use(await startSwift());
  const bucket = await newBucket(account, { isVersioned: false });
  return {
    endpoint: new URL(account.endpoint ?? ""),
    settings: (endpoint) => ({
      GREENLIT_STORE: "s3",
      GREENLIT_S3_ENDPOINT: endpoint.origin,
      GREENLIT_S3_PATH_STYLE: "true",
      GREENLIT_S3_BUCKET: bucket,
      GREENLIT_S3_ACCESS_KEY_ID: account.credentials?.accessKeyId ?? "",
      GREENLIT_S3_SECRET_ACCESS_KEY: account.credentials?.secretAccessKey ?? "",
    }),
    async compare(databaseUrl) {
      await using store = await openS3Store({ ...account, bucket });
      return await checkStorage({ databaseUrl, store, olderThan: new Date() });
    },
  };
}
