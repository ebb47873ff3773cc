import { gzipSync } from "node:zlib";
import {
  docxOf,
  docxWith,
  hostileXml,
  hugePng,
  inflatesTo,
  manyFramesApng,
  manyFramesGif,
  manyPagesPdf,
  nestedFormsPdf,
  twoPagePdf,
  zlibOf,
} from "@greenlit/engine/testing/hostile-files.ts";
import { stream } from "../../../engine/golden/documents/write-pdf.ts";

export type Original = { name: string; contentType: string; bytes: Buffer };

/** Files made to exhaust, mislead or break out; small ones of their kind, for many of them are sent. */
export function hostileOriginals(): Original[] {
  const mebibytes64 = 64 * 2 ** 20;
  const packed = inflatesTo(mebibytes64, " ");
  const part = { name: "word/document.xml", packed, crc: 0 };
  const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  const of = (contentType: string, files: Record<string, Buffer | string>): Original[] =>
    Object.entries(files).map(([name, bytes]) => ({ name, contentType, bytes: Buffer.from(bytes) }));
  return [
    ...of(docx, {
      "zip-bomb.docx": docxOf({ ...part, sizeBytes: mebibytes64 }),
      "zip-liar.docx": docxOf({ ...part, sizeBytes: 1000 }),
      ...Object.fromEntries(
        Object.values(hostileXml()).map((xml, index) => [`xml-${index}.docx`, docxWith(xml)] as const),
      ),
    }),
    ...of("application/pdf", {
      "inflates.pdf": twoPagePdf(stream(zlibOf(packed), "/Filter /FlateDecode")),
      "forms.pdf": nestedFormsPdf(),
      "pages.pdf": manyPagesPdf(3000),
    }),
    ...of("image/png", {
      "pixels.png": hugePng(100_000),
      "wide.png": hugePng(1_000_000, 1),
      "frames.png": manyFramesApng({ count: 200, announced: 2 ** 31 }),
    }),
    ...of("image/gif", { "frames.gif": manyFramesGif(2000) }),
    ...of("video/mp4", {
      "playlist.mp4": "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n",
      "concat.mp4": "ffconcat version 1.0\nfile '/etc/passwd'\n",
      "empty.mp4": Buffer.alloc(16),
    }),
    ...of("image/jpeg", {
      "script.jpg": '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
    }),
    ...of("text/plain", {
      "packed.txt": gzipSync(Buffer.alloc(2 ** 20)),
      "one-line.txt": "a".repeat(2 ** 20),
      "brackets.txt": "([{<".repeat(50_000),
      "marks.txt": `e${"\u0301".repeat(50_000)}`,
    }),
    ...of("application/x-subrip", { "times.srt": "1\n99:99:99,999 --> 00:00:00,000\n<i><b>x\n\n".repeat(3000) }),
  ];
}
