import { Readable } from "node:stream";
import { test } from "node:test";
import { openAzureStore } from "./azure-store.ts";
import { testConformance } from "../conformance/conformance.ts";
import { newKey, rejectsWith } from "../conformance/test-objects.ts";
import { azuriteAccount, startAzurite } from "../conformance/test-azurite.ts";

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
