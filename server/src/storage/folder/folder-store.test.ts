import { testConformance } from "../conformance/conformance.ts";
import { openTestGateway } from "../conformance/test-gateway.ts";

testConformance("the folder store", {
  async open() {
    const gateway = await openTestGateway();
    return { ...gateway.store, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
  },
});
