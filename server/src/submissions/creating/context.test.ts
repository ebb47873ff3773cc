import assert from "node:assert/strict";
import { test } from "node:test";
import { contextOf } from "./context.ts";

test("what the metadata leaves out comes from the workspace's default; what it declares wins", () => {
  const defaults = { sector: "gambling", jurisdictions: ["UK"] };

  const context = contextOf({ metadata: { sector: "food", channel: 7 } }, defaults);

  assert.deepEqual(context, { sector: "food", jurisdictions: ["UK"] });
});
