import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { makeScratch } from "../../testing/scratch.ts";
import { gatherMetadata } from "./metadata.ts";
import { unjudgedWords } from "./words-in-tags.ts";

test("words in tags that people read are named as not judged", () => {
  const sentence = "This herbal tea cures arthritis within a week";
  for (const name of ["title", "description", "comment", "lyrics", "chapter"]) {
    assert.equal(unjudgedWords(name, sentence), `Words in the file's tags were not judged: ${name} “${sentence}”.`);
  }
});

test("names, places and what programs write are not", () => {
  const tags: [string, string][] = [
    ["author", "Ada and Ben of the Example Company"],
    ["title", "Summer sale"],
    ["comment", "Created with the GNU Image Manipulation Program"],
    ["description", "OLYMPUS DIGITAL CAMERA         "],
    ["comment", "CREATOR: gd-jpeg v1.0 (using IJG JPEG v80), quality = 90"],
  ];
  for (const [name, text] of tags) assert.equal(unjudgedWords(name, text), null, text);
});

test("a description in a picture and a film behind it are named", async () => {
  await using scratch = await makeScratch();
  const plain = sharp({ create: { width: 32, height: 32, channels: 3, background: "white" } });
  const described = await plain
    .withExif({ IFD0: { ImageDescription: "This tea cures arthritis within a week" } })
    .jpeg()
    .toBuffer();
  const film = Buffer.from("\u0000\u0000\u0000\u0018ftypmp42", "latin1");
  const mediaType = { contentType: "image/jpeg", category: "image" } as const;

  const found = await gatherMetadata({
    file: await scratch.write("moving.jpg", Buffer.concat([described, film])),
    mediaType,
  });

  assert.deepEqual(
    found?.omissions?.map(({ what }) => what),
    [
      "Words in the file's tags were not judged: description “This tea cures arthritis within a week”.",
      "The film behind the picture (a motion photo) was not checked.",
    ],
  );
});
