import assert from "node:assert/strict";
import { test } from "node:test";
import type { Box, ReadLine } from "../../models/read-line.ts";
import { unreadLine } from "./unread-lines.ts";
import { createUnreadPlaces } from "./unread-places.ts";

function lineAt(left: number, more: Partial<ReadLine> = {}): ReadLine {
  const corners = [
    [left, 100],
    [left + 400, 100],
    [left + 400, 140],
    [left, 140],
  ].map(([x = 0, y = 0]) => ({ x, y })) as Box;
  return { text: "", confidence: 0.3, letters: [], box: corners, ...more };
}

test("a line that still cannot be read after a moment is named, from when it came to when it was last seen", () => {
  const places = createUnreadPlaces();
  places.add(lineAt(50), 2);

  const early = places.due(2.1);
  const place = places.due(2.4);
  if (place !== null) places.confirm(place, lineAt(52), 2.4);
  places.add(lineAt(50), 4);

  assert.equal(early, null);
  assert.deepEqual(places.omissions(), [{ what: unreadLine, startSeconds: 2, endSeconds: 4 }]);
});

test("a script that the reader names is what is said of it", () => {
  const places = createUnreadPlaces();
  places.add(lineAt(50), 0);

  const place = places.due(0.5);
  if (place !== null) places.confirm(place, lineAt(50, { script: "Greek" }), 0.5);

  assert.deepEqual(places.omissions(), [{ what: "Text in Greek was not read.", startSeconds: 0, endSeconds: 0.5 }]);
});

test("what can be read at the second look, or lies elsewhere, is not named", () => {
  const places = createUnreadPlaces();
  places.add(lineAt(50), 0);

  const place = places.due(0.5);
  if (place !== null) places.confirm(place, lineAt(50, { text: "Terms apply", confidence: 0.9 }), 0.5);
  if (place !== null) places.confirm(place, lineAt(800), 0.5);

  assert.notEqual(place, null);
  assert.deepEqual(places.omissions(), []);
});

test("texture that looks like text again and again does not keep the reader busy", () => {
  const places = createUnreadPlaces();
  let looks = 0;
  for (let seconds = 0; seconds < 30; seconds += 0.5) {
    places.add(lineAt(seconds * 50), seconds);
    if (places.due(seconds) !== null) looks += 1;
  }

  assert.ok(looks >= 2 && looks <= 4, `${looks} looks`);
});
