import { testConformance } from "./conformance.ts";
import { openTestGateway } from "./test-gateway.ts";

testConformance("the folder store", {
  async open() {
    const gateway = await openTestGateway();
    return { ...gateway.store, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
  },
});
