import { constants, deflateRawSync, deflateSync } from "node:zlib";
import { pngChunk } from "../../golden/documents/images.ts";
import { stream, writePdf } from "../../golden/documents/write-pdf.ts";
import { writePackedZip, writeZip } from "../../golden/documents/write-zip.ts";

const office = "application/vnd.openxmlformats-officedocument";

/** Raw deflate of as many bytes as asked for, made from one packed megabyte again and again. */
export function inflatesTo(sizeBytes: number, content: string): Buffer {
  const megabyte = Buffer.alloc(2 ** 20, content);
  const piece = deflateRawSync(megabyte, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array.from({ length: sizeBytes / 2 ** 20 }, () => piece), Buffer.from([3, 0])]);
}

/** The checksum at its end is wrong; nobody should get that far. */
export function zlibOf(raw: Buffer): Buffer {
  return Buffer.concat([Buffer.from("789c", "hex"), raw, Buffer.alloc(4)]);
}

const docxBase = {
  "[Content_Types].xml": `<Types><Override PartName="/word/document.xml" ContentType="${office}.wordprocessingml.document.main+xml"/></Types>`,
};

/** A document of Word with this as its text. */
export function docxWith(xml: string): Buffer {
  return writeZip({ ...docxBase, "word/document.xml": xml });
}

export function docxOf(entry: { name: string; packed: Buffer; sizeBytes: number; crc: number }): Buffer {
  const types = Buffer.from(docxBase["[Content_Types].xml"]);
  return writePackedZip([
    { name: "[Content_Types].xml", packed: deflateRawSync(types), sizeBytes: types.length, crc: 0 },
    entry,
  ]);
}

export function hostileXml(): Record<string, string> {
  const laughs = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`);
  const wrap = (text: string) =>
    `<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`;
  return {
    "entities that grow": `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs.join("")}]>${wrap("&l9;")}`,
    "an entity that names a file": `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${wrap("&f;")}`,
    "XML a hundred thousand deep": `${"<w:p>".repeat(100_000)}${"</w:p>".repeat(100_000)}`,
  };
}

export function twoPagePdf(content: Buffer): Buffer {
  const page = (contents: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${contents} 0 R /Resources << /Font << /F1 5 0 R >> >> >>`;
  return writePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>",
    page(4),
    content,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    page(7),
    stream("BT /F1 12 Tf 72 720 Td (After the bomb) Tj ET"),
  ]);
}

function onePagePdf(content: Buffer, options: { resources?: string; objects?: Buffer[] } = {}): Buffer {
  const resources = `/Font << /F1 5 0 R >> ${options.resources ?? ""}`;
  return writePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${resources} >> >>`,
    content,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...(options.objects ?? []),
  ]);
}

/** Four kilobytes: each state hangs on the one before, so that reading takes time by the square of their number. */
export function nestedStatesPdf(): Buffer {
  const packed = deflateSync(Buffer.from(`${"q ".repeat(1_900_000)}BT /F1 12 Tf (deep) Tj ET`));
  return onePagePdf(stream(packed, "/Filter /FlateDecode"));
}

/** Nine forms, each of which draws the next ten times. */
export function nestedFormsPdf(): Buffer {
  const kind = "/Type /XObject /Subtype /Form /BBox [0 0 9 9]";
  const depth = 9;
  const calls = "/X Do ".repeat(10);
  const forms = Array.from({ length: depth }, (_, level) =>
    level === depth - 1
      ? stream("q Q", kind)
      : stream(calls, `${kind} /Resources << /XObject << /X ${7 + level} 0 R >> >>`),
  );
  return onePagePdf(stream(calls), { resources: "/XObject << /X 6 0 R >>", objects: forms });
}

/** Frames whose pixels are missing, for who judges by the header. */
export function manyFramesApng(options: { count: number; announced: number; side?: number }): Buffer {
  const { count, announced, side = 8 } = options;
  const control = Buffer.alloc(8);
  control.writeUInt32BE(announced, 0);
  const frames = Array.from({ length: count }, (_, index) => {
    const data = Buffer.alloc(26);
    data.writeUInt32BE(index, 0);
    data.writeUInt32BE(side, 4);
    data.writeUInt32BE(side, 8);
    data.writeUInt16BE(1, 20);
    data.writeUInt16BE(25, 22);
    return pngChunk({ type: "fcTL", data });
  });
  const [start, rest] = [hugePng(side).subarray(0, 33), hugePng(side).subarray(33)];
  return Buffer.concat([start, pngChunk({ type: "acTL", data: control }), ...frames, rest]);
}

export function hugePng(width: number, height = width): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    pngChunk({ type: "IHDR", data: header }),
    pngChunk({ type: "IDAT", data: deflateSync(Buffer.alloc(2 ** 20)) }),
    pngChunk({ type: "IEND", data: Buffer.alloc(0) }),
  ]);
}

export function manyPagesPdf(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, index) => `${index + 3} 0 R`).join(" ");
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>";
  const pages = [`<< /Type /Pages /Kids [${kids}] /Count ${count} >>`, ...Array.from({ length: count }, () => page)];
  return writePdf(["<< /Type /Catalog /Pages 2 0 R >>", ...pages]);
}

/** Frames of one pixel: 40,000 of them are under a megabyte. */
export function manyFramesGif(count: number): Buffer {
  const head = Buffer.concat([
    Buffer.from("GIF89a"),
    Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from("NETSCAPE2.0"),
    Buffer.from([3, 1, 0, 0, 0]),
  ]);
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 4, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([head, ...Array.from({ length: count }, () => frame), Buffer.from([0x3b])]);
}
