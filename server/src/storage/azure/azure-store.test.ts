import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { Readable } from "node:stream";
import { test } from "node:test";
import { openAzureStore } from "./azure-store.ts";
import { testConformance } from "../conformance/conformance.ts";
import { newKey, rejectsWith } from "../conformance/test-objects.ts";
import { azuriteAccount, startAzurite } from "../conformance/test-azurite.ts";

test("an Azure store that takes the connection and says nothing is out of reach, whatever is asked of it", async () => {
  await using mute = await startMute();
  const account = { ...azuriteAccount, endpoint: mute.endpoint };
  await using store = await openAzureStore({ account, container: "media", silenceMs: 50 });
  const key = newKey();
  const settings = { maxBytes: 1, contentType: "video/mp4" };

  await rejectsWith("unavailable", store.head(key));
  await rejectsWith("unavailable", store.open(key, { etag: '"1"' }));
  await rejectsWith("unavailable", store.freeze(key, '"1"'));
  await rejectsWith("unavailable", store.remove(key));
  await rejectsWith("unavailable", Array.fromAsync(store.list("")));
  await rejectsWith("unavailable", store.put(key, Readable.from(["x"]), settings));
});

async function startMute(): Promise<AsyncDisposable & { endpoint: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}/${azuriteAccount.name}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

if (process.env["GREENLIT_TEST_AZURE"] === "true") {
  testConformance("the Azure store", {
    async open() {
      const azurite = await startAzurite();
      const account = { ...azuriteAccount, endpoint: azurite.endpoint };
      const store = await openAzureStore({ account, container: "media", createContainer: true });
      return { ...store, [Symbol.asyncDispose]: () => azurite[Symbol.asyncDispose]() };
    },
  });

  test("an Azure store out of reach or without its container says so", async () => {
    await using azurite = await startAzurite();
    const { name, key } = azuriteAccount;
    const connectionString = `DefaultEndpointsProtocol=http;AccountName=${name};AccountKey=${key};BlobEndpoint=${azurite.endpoint};`;
    await using store = await openAzureStore({
      account: { connectionString },
      container: "media",
      createContainer: true,
    });
    await using other = await openAzureStore({ account: { connectionString }, container: "missing" });

    await store.check();
    await rejectsWith("unavailable", other.check());
    await azurite[Symbol.asyncDispose]();

    await rejectsWith(
      "unavailable",
      store.put(newKey(), Readable.from(["x"]), { maxBytes: 1, contentType: "video/mp4" }),
    );
  });
} else {
  test("the Azure store", {
    skip: "set GREENLIT_TEST_AZURE=true to test it against Azurite (installs 400 MB on first use)",
  });
}
