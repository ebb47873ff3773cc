import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import sharp from "sharp";
import { prepareZXingModule, writeBarcode } from "zxing-wasm/writer";
import { packageFile } from "../find-models.ts";
import { type CodeReader, createCodeReader } from "./code-reader.ts";

const address = "https://example.com/offer?id=1";
let reader: CodeReader;
let code: Buffer;

before(async () => {
  const wasmBinary = await readFile(packageFile("zxing-wasm", "dist/writer/zxing_writer.wasm"));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasmBinary).buffer }, fireImmediately: true });
  const { image } = await writeBarcode(address, { format: "QRCode", scale: 5 });
  code = Buffer.from((await image?.arrayBuffer()) ?? new ArrayBuffer(0));
  reader = await createCodeReader();
});

async function pictureWith(overlay: Buffer, background = "#ddeeff") {
  const { data, info } = await sharp({ create: { width: 640, height: 360, channels: 3, background } })
    .composite([{ input: overlay, left: 400, top: 100 }])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: new Uint8Array(data) };
}

test("a QR code is read where it stands, also small, turned or light on dark", async () => {
  const forms = {
    plain: code,
    small: await sharp(code).resize(70).png().toBuffer(),
    turned: await sharp(code).rotate(25, { background: "#ffffff" }).png().toBuffer(),
    inverted: await sharp(code).negate({ alpha: false }).png().toBuffer(),
  };
  for (const [form, overlay] of Object.entries(forms)) {
    const found = await reader.read(await pictureWith(overlay, form === "inverted" ? "#222222" : "#ddeeff"));

    assert.deepEqual(
      found.map(({ text, box }) => [text, box.every(({ x, y }) => x >= 400 && y >= 100)]),
      [[address, true]],
      form,
    );
  }
});

test("a damaged QR code is found without a text, and a picture without one has none", async () => {
  const patch = await sharp({ create: { width: 80, height: 80, channels: 3, background: "#ffffff" } })
    .png()
    .toBuffer();
  const damaged = await sharp(code)
    .composite([{ input: patch, left: 65, top: 65 }])
    .png()
    .toBuffer();

  const found = await reader.read(await pictureWith(damaged));
  const none = await reader.read(await pictureWith(patch));

  assert.deepEqual(
    found.map(({ text }) => text),
    [null],
  );
  assert.deepEqual(none, []);
});
