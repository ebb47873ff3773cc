import assert from "node:assert/strict";
import { test } from "node:test";
import { readCaptions } from "./read-captions.ts";

test("words in angle brackets that are no tag are read; tags are for the player", () => {
  const file = `1
00:00:01,000 --> 00:00:02,000
<This tea cures arthritis> <i>tonight</i> <c.yellow>only</c>

2
00:00:03,000 --> 00:00:04,000
<v Anna>Hello <00:00:03.500>there</v> 2 < 3
`;

  const { cues } = readCaptions(Buffer.from(file));

  assert.deepEqual(
    cues?.map(({ text }) => text),
    ["<This tea cures arthritis> tonight only", "Hello there 2 < 3"],
  );
});

test("a comment that says something is named as not judged", () => {
  const file =
    "WEBVTT\n\nNOTE This tea cures arthritis\nin a week\n\nNOTE checked\n\n00:01.000 --> 00:02.000\nPlain words\n";

  const { omissions } = readCaptions(Buffer.from(file));

  assert.deepEqual(omissions, [
    {
      what: "A comment in the captions, which players do not show, was not judged: “This tea cures arthritis in a week”.",
    },
  ]);
});
