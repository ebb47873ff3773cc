import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { consoleRoutes } from "@greenlit/server/http/people/console-routes.ts";
import { renderTypes } from "../../../scripts/sdk-types.ts";

test("the generated types are those of the routes that only people call", () => {
  const committed = readFileSync(new URL("people-operations.ts", import.meta.url), "utf8");

  assert.ok(committed === renderTypes(consoleRoutes), "people-operations.ts is stale: run npm run docs");
});
