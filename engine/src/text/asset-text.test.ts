import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText } from "./asset-text.ts";

test("text that is turned round by a control character is searched as people read it", () => {
  assert.equal(plainText("A tea. \u202Esitirhtra seruc\u202C Enjoy"), "A tea. cures arthritis Enjoy");
});
