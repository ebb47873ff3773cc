import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { deflateRawSync, gzipSync } from "node:zlib";
import { MediaTypeRefused } from "./media-type-refused.ts";
import { type ContentType, findMediaType, type Format, formats, type MediaType, mediaTypes } from "./media-types.ts";
import { recognise, recogniseHeadBytes } from "./recognise.ts";

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const pptx = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const isoMediaTypes = ["video/mp4", "video/quicktime", "audio/mp4", "audio/x-m4a"] as const;
const isoVideoTypes = ["video/mp4", "video/quicktime"] as const;
const webmTypes = ["video/webm", "video/x-matroska", "audio/webm"] as const;
const webmVideoTypes = ["video/webm", "video/x-matroska"] as const;
const wavTypes = ["audio/wav", "audio/x-wav"] as const;
const unicodeTextTypes = ["text/plain", "text/markdown", "text/csv"] as const;
const legacyTextTypes = ["text/plain", "text/csv"] as const;

const lockedOffice = readFileSync(new URL("../../golden/files/locked.docx", import.meta.url));

type Sample = { name: string; bytes: Buffer; accepted: readonly ContentType[] };

const files: Readonly<Record<string, readonly ContentType[]>> = {
  "animated.png": ["image/png"],
  "apple.m4v": isoVideoTypes,
  "audio-flac.oga": ["audio/ogg"],
  "audio-rf64.wav": wavTypes,
  "audio.aac": ["audio/aac"],
  "audio.flac": ["audio/flac"],
  "audio.m4a": isoMediaTypes,
  "audio.mp2": ["audio/mpeg"],
  "audio.mp3": ["audio/mpeg"],
  "audio.ogg": ["audio/ogg"],
  "audio.opus": ["audio/ogg"],
  "audio.wav": wavTypes,
  "audio.weba": webmTypes,
  "captions.srt": [...unicodeTextTypes, "application/x-subrip"],
  "captions.vtt": [...unicodeTextTypes, "text/vtt"],
  "document.csv": unicodeTextTypes,
  "document.docx": [docx],
  "document.md": unicodeTextTypes,
  "document.pdf": ["application/pdf"],
  "document.pptx": [pptx],
  "document.txt": unicodeTextTypes,
  "document.xlsx": [xlsx],
  "fragmented.mp4": isoVideoTypes,
  "generate.sh": unicodeTextTypes,
  "image.avif": ["image/avif"],
  "image.bmp": ["image/bmp"],
  "image.gif": ["image/gif"],
  "image.heic": ["image/heic"],
  "image.jpg": ["image/jpeg"],
  "image.png": ["image/png"],
  "image.tiff": ["image/tiff"],
  "image.webp": ["image/webp"],
  "macros.docm": [],
  "tagged.mp3": ["audio/mpeg"],
  "video.avi": ["video/x-msvideo"],
  "video.m2t": ["video/mp2t"],
  "video.m2ts": ["video/mp2t"],
  "video.m2v": ["video/mpeg"],
  "video.mkv": ["video/x-matroska"],
  "video.mov": isoVideoTypes,
  "video.mp4": isoVideoTypes,
  "video.mpg": ["video/mpeg"],
  "video.mxf": ["application/mxf"],
  "video.ogv": [],
  "video.vob": ["video/mpeg"],
  "video.webm": webmVideoTypes,
};

const folder = new URL("./samples/", import.meta.url);

function sample(name: string): Buffer {
  return readFileSync(new URL(name, folder));
}

/** Bytes of each character below U+0100. */
function raw(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

function id3Tag(bodyBytes: number): Buffer {
  const size = [21, 14, 7, 0].map((shift) => (bodyBytes >> shift) & 0x7f);
  return Buffer.concat([raw("ID3\u0003\0\0"), Buffer.from(size), Buffer.alloc(bodyBytes)]);
}

function box(type: string, content: Buffer | string = ""): Buffer {
  const body = typeof content === "string" ? raw(content) : content;
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + body.length);
  return Buffer.concat([size, raw(type), body]);
}

function ftyp(...brands: string[]): Buffer {
  return box("ftyp", `${brands[0]}\0\0\0\0${brands.join("")}`);
}

/** A track as far as its kind can be told: of so many samples in so many seconds. */
function track(options: { kind: string; codec?: string; samples?: number; seconds?: number }): Buffer {
  const { kind, codec = "avc1", samples = 100, seconds = 4 } = options;
  const numbers = (...values: number[]) => {
    const bytes = Buffer.alloc(4 * values.length);
    for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
    return bytes;
  };
  const stsd = box("stsd", Buffer.concat([numbers(0, 1), box(codec, Buffer.alloc(28))]));
  const stsz = box("stsz", Buffer.concat([numbers(0, 0, samples), Buffer.alloc(4 * samples)]));
  const mdhd = box("mdhd", numbers(0, 0, 0, 1000, seconds * 1000, 0));
  const hdlr = box("hdlr", `\0\0\0\0\0\0\0\0${kind}\0\0\0\0\0\0\0\0\0\0\0\0\0`);
  const minf = box("minf", box("stbl", Buffer.concat([stsd, stsz])));
  return box("trak", Buffer.concat([box("tkhd", Buffer.alloc(84)), box("mdia", Buffer.concat([mdhd, hdlr, minf]))]));
}

/** As a browser records it: the size of the segment is not known. */
function webm({ trackTypes }: { trackTypes: readonly number[] }): Buffer {
  const element = (id: string, content: Buffer) =>
    Buffer.concat([
      Buffer.from(id, "hex"),
      Buffer.from([0x40 | (content.length >> 8), content.length & 0xff]),
      content,
    ]);
  const head = element("1a45dfa3", element("4282", raw("webm")));
  const tracks = trackTypes.map((type) =>
    element("ae", Buffer.concat([element("d7", raw("\u0001")), element("83", Buffer.from([type]))])),
  );
  const segment = Buffer.from("1853806701ffffffffffffff", "hex");
  return Buffer.concat([
    head,
    segment,
    element("1549a966", Buffer.alloc(20)),
    element("1654ae6b", Buffer.concat(tracks)),
    element("1f43b675", Buffer.alloc(60)),
  ]);
}

/** A ZIP archive, its entries in this order, stored or deflated, with or without ZIP64 offsets. */
function zip(
  entries: readonly [name: string, content: string | Buffer][],
  options: { isZip64?: boolean } = {},
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const packed = deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    locals.push(local, raw(name), packed);
    directory.push(central, raw(name));
    offset += local.length + name.length + packed.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt32LE(options.isZip64 === true ? 0xffffffff : directoryBytes.length, 12);
  end.writeUInt32LE(options.isZip64 === true ? 0xffffffff : offset, 16);
  if (options.isZip64 !== true) return Buffer.concat([...locals, directoryBytes, end]);
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50);
  record.writeBigUInt64LE(BigInt(directoryBytes.length), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50);
  locator.writeBigUInt64LE(BigInt(offset + directoryBytes.length), 8);
  return Buffer.concat([...locals, directoryBytes, record, locator, end]);
}

function contentTypes(mainType: string): string {
  return `<Types><Override PartName="/x" ContentType="application/${mainType}"/></Types>`;
}

const wordTypes = contentTypes("vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml");

function packets(options: { stride: number; before?: number; count?: number }): Buffer {
  const packet = Buffer.alloc(options.stride);
  packet[options.before ?? 0] = 0x47;
  return Buffer.concat(Array.from({ length: options.count ?? 8 }, () => packet));
}

/** Noise that is the same in every run. */
function noise(bytes: number, seed = 1): Buffer {
  let state = seed;
  return Buffer.from(
    Array.from({ length: bytes }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");
const srtText = "1\n00:00:01,000 --> 00:00:02,000\nHi\n";

const variants: readonly Sample[] = [
  ...[
    "isom",
    "mp41",
    "mp42",
    "avc1",
    "iso5",
    "iso6",
    "dash",
    "M4V ",
    "M4A ",
    "M4B ",
    "3gp4",
    "qt  ",
    "XAVC",
    "MSNV",
  ].map((brand) => ({
    name: `ISO media of brand ${brand}`,
    bytes: Buffer.concat([ftyp(brand), box("moov")]),
    accepted: isoMediaTypes,
  })),
  {
    name: "MP4 with a video track behind its sound and all of the media data",
    bytes: Buffer.concat([
      ftyp("M4A "),
      box("mdat", noise(200_000)),
      box("moov", Buffer.concat([track({ kind: "soun", codec: "mp4a", samples: 40_000 }), track({ kind: "vide" })])),
    ]),
    accepted: isoVideoTypes,
  },
  {
    name: "MP4 with a video track of motion JPEG",
    bytes: Buffer.concat([
      ftyp("M4A "),
      box("moov", track({ kind: "vide", codec: "jpeg", samples: 1000, seconds: 40 })),
    ]),
    accepted: isoVideoTypes,
  },
  {
    name: "an audio book with a picture for each chapter",
    bytes: Buffer.concat([
      ftyp("M4B "),
      box(
        "moov",
        Buffer.concat([
          track({ kind: "soun", codec: "mp4a" }),
          track({ kind: "text", codec: "text" }),
          track({ kind: "vide", codec: "jpeg", samples: 12, seconds: 3600 }),
        ]),
      ),
    ]),
    accepted: isoMediaTypes,
  },
  {
    name: "WebM with sound before its picture, in a segment of unknown size",
    bytes: webm({ trackTypes: [2, 1] }),
    accepted: webmVideoTypes,
  },
  { name: "WebM with sound and subtitles", bytes: webm({ trackTypes: [2, 17] }), accepted: webmTypes },
  { name: "free before ftyp", bytes: Buffer.concat([box("free"), ftyp("isom")]), accepted: isoMediaTypes },
  { name: "QuickTime, moov first", bytes: Buffer.concat([box("moov"), box("mdat")]), accepted: ["video/quicktime"] },
  {
    name: "QuickTime, moov last",
    bytes: Buffer.concat([box("wide"), box("mdat", noise(90_000)), box("moov")]),
    accepted: ["video/quicktime"],
  },
  {
    name: "QuickTime, mdat with a 64-bit size",
    bytes: Buffer.concat([raw("\0\0\0\u0001mdat\0\0\0\0\0\0\0\u0014abcd"), box("moov")]),
    accepted: ["video/quicktime"],
  },
  ...["heic", "heix", "hevc", "heim", "msf1", "mif1"].map((brand) => ({
    name: `HEIF of brand ${brand}`,
    bytes: ftyp(brand, "heic"),
    accepted: ["image/heic"] as const,
  })),
  { name: "AVIF of brand avis", bytes: ftyp("avis", "msf1"), accepted: ["image/avif"] },
  { name: "AVIF of brand mif1", bytes: ftyp("mif1", "avif", "miaf"), accepted: ["image/avif"] },
  { name: "transport stream of 204 bytes", bytes: packets({ stride: 204 }), accepted: ["video/mp2t"] },
  { name: "transport stream of 192 bytes", bytes: packets({ stride: 192, before: 4 }), accepted: ["video/mp2t"] },
  {
    name: "transport stream from the middle of a packet",
    bytes: packets({ stride: 188, before: 100 }),
    accepted: ["video/mp2t"],
  },
  {
    name: "program stream cut at a packet",
    bytes: Buffer.concat([...["à", "À", "à"].map((code) => raw(`\0\0\u0001${code}\0\u0004abcd`)), raw("\0\0\u0001à")]),
    accepted: ["video/mpeg"],
  },
  {
    name: "MPEG video behind zeros",
    bytes: Buffer.concat([Buffer.alloc(100), sample("video.m2v")]),
    accepted: ["video/mpeg"],
  },
  {
    name: "MXF behind a run-in of 60,000 bytes",
    bytes: Buffer.concat([noise(60_000), sample("video.mxf")]),
    accepted: ["application/mxf"],
  },
  {
    name: "MXF behind the longest run-in",
    bytes: Buffer.concat([Buffer.alloc(65_535, 0xee), sample("video.mxf")]),
    accepted: ["application/mxf"],
  },
  {
    name: "MP3 behind a tag of 300 KB",
    bytes: Buffer.concat([id3Tag(300_000), sample("audio.mp3")]),
    accepted: ["audio/mpeg"],
  },
  {
    name: "MP3 behind two tags",
    bytes: Buffer.concat([id3Tag(100), id3Tag(50), sample("audio.mp3")]),
    accepted: ["audio/mpeg"],
  },
  {
    name: "MP3 behind 1,000 bytes of something",
    bytes: Buffer.concat([Buffer.alloc(1000), sample("audio.mp3")]),
    accepted: ["audio/mpeg"],
  },
  {
    name: "MP3 with an ID3v1 tag after two frames",
    bytes: Buffer.concat([sample("audio.mp3").subarray(0, 209), raw("TAG"), Buffer.alloc(125)]),
    accepted: ["audio/mpeg"],
  },
  { name: "AAC behind a tag", bytes: Buffer.concat([id3Tag(63), sample("audio.aac")]), accepted: ["audio/aac"] },
  {
    name: "FLAC behind a tag of 300 KB",
    bytes: Buffer.concat([id3Tag(300_000), sample("audio.flac")]),
    accepted: ["audio/flac"],
  },
  { name: "BW64", bytes: raw("BW64\u00FF\u00FF\u00FF\u00FFWAVEds64\u001C\0\0\0"), accepted: wavTypes },
  {
    name: "TIFF, big endian",
    bytes: raw("MM\0*\0\0\0\u0008\0\u0001\u0001\0\0\u0004\0\0\0\u0001\0\0\0\u0001"),
    accepted: ["image/tiff"],
  },
  { name: "BigTIFF", bytes: raw("II+\0\u0008\0\0\0\u0010\0\0\0\0\0\0\0"), accepted: ["image/tiff"] },
  {
    name: "TIFF, directory last",
    bytes: Buffer.concat([raw("II*\0\u0000\u0000\u0002\0"), noise(131_072)]),
    accepted: ["image/tiff"],
  },
  {
    name: "PDF behind other bytes",
    bytes: Buffer.concat([Buffer.alloc(1000, 0), sample("document.pdf")]),
    accepted: ["application/pdf"],
  },
  {
    name: "PDF behind other text",
    bytes: Buffer.concat([raw("HTTP/1.1 200 OK\r\n\r\n"), sample("document.pdf")]),
    accepted: ["application/pdf"],
  },
  {
    name: "docx, its list of parts late",
    bytes: zip([
      ["word/media/film.mp4", noise(300_000)],
      ["word/document.xml", "<w/>"],
      ["[Content_Types].xml", wordTypes],
    ]),
    accepted: [docx],
  },
  { name: "docx in ZIP64", bytes: zip([["[Content_Types].xml", wordTypes]], { isZip64: true }), accepted: [docx] },
  {
    name: "docx with a ZIP comment",
    bytes: Buffer.concat([zip([["[Content_Types].xml", wordTypes]]), Buffer.alloc(60_000, 0x20)]),
    accepted: [docx],
  },
  {
    name: "pptx, recognised by its parts",
    bytes: zip([
      ["[Content_Types].xml", "<Types/>"],
      ["ppt/presentation.xml", "<p/>"],
    ]),
    accepted: [pptx],
  },
  { name: "UTF-8 with a mark", bytes: Buffer.from("\uFEFFnaïve"), accepted: unicodeTextTypes },
  { name: "UTF-16, little endian", bytes: utf16("naïve"), accepted: unicodeTextTypes },
  { name: "UTF-16, big endian", bytes: utf16("naïve").swap16(), accepted: unicodeTextTypes },
  { name: "Windows-1252", bytes: raw("na\u00EFve \u0093quotes\u0094\r\n"), accepted: legacyTextTypes },
  { name: "Windows-1251", bytes: Buffer.from("cff0e8e2e5f2", "hex"), accepted: legacyTextTypes },
  { name: "text that ends as in DOS", bytes: raw("hello\r\n\u001A"), accepted: unicodeTextTypes },
  { name: "long UTF-8", bytes: Buffer.from("a😀é".repeat(160_000)), accepted: unicodeTextTypes },
  { name: "long UTF-16", bytes: utf16("a😀é".repeat(160_000)), accepted: unicodeTextTypes },
  { name: "long Windows-1252", bytes: raw("na\u00EFve ".repeat(180_000)), accepted: legacyTextTypes },
  { name: "SVG", bytes: raw('<svg xmlns="http://www.w3.org/2000/svg"/>'), accepted: unicodeTextTypes },
  { name: "HTML", bytes: raw("<!doctype html><script>1</script>"), accepted: unicodeTextTypes },
  ...["BMW is a car", "FORM is", "MZ", "ID3 tags are", "solid ground", "PK", "%!PS-Adobe is", "GIFs are", "II"].map(
    (text) => ({
      name: `a text that begins like something else: ${text}`,
      bytes: raw(text),
      accepted: unicodeTextTypes,
    }),
  ),
  { name: "a text about PDF", bytes: raw("Files begin with %PDF-1.4, always."), accepted: unicodeTextTypes },
  {
    name: "SRT with a mark",
    bytes: Buffer.from(`\uFEFF\r\n${srtText}`),
    accepted: [...unicodeTextTypes, "application/x-subrip"],
  },
  { name: "SRT in UTF-16", bytes: utf16(srtText), accepted: [...unicodeTextTypes, "application/x-subrip"] },
  {
    name: "SRT with old line ends",
    bytes: raw(srtText.replaceAll("\n", "\r")),
    accepted: [...unicodeTextTypes, "application/x-subrip"],
  },
  {
    name: "SRT in Windows-1252",
    bytes: raw(`${srtText}na\u00EFve`),
    accepted: [...legacyTextTypes, "application/x-subrip"],
  },
  {
    name: "WebVTT with a mark and a title",
    bytes: Buffer.from("\uFEFFWEBVTT - Title\r\n\r\n"),
    accepted: [...unicodeTextTypes, "text/vtt"],
  },
  { name: "WebVTT, nothing more", bytes: raw("WEBVTT"), accepted: [...unicodeTextTypes, "text/vtt"] },
  { name: "WEBVTTX", bytes: raw("WEBVTTX\n"), accepted: unicodeTextTypes },
];

const refusedEverywhere: readonly Omit<Sample, "accepted">[] = [
  { name: "noise", bytes: noise(100_000) },
  { name: "a little noise", bytes: noise(64, 7) },
  { name: "zeros", bytes: Buffer.alloc(70_000) },
  { name: "one zero", bytes: Buffer.alloc(1) },
  { name: "text with NUL", bytes: raw("hello\0world") },
  {
    name: "text with NUL late",
    bytes: Buffer.concat([Buffer.alloc(200_000, "a"), Buffer.alloc(1), Buffer.alloc(9, "a")]),
  },
  { name: "text with ESC", bytes: raw("\u001B[31mred") },
  { name: "an HLS playlist", bytes: raw("#EXTM3U\n#EXT-X-TARGETDURATION:1\n") },
  { name: "an HLS playlist with a mark", bytes: Buffer.from("\uFEFF#EXTM3U\n") },
  { name: "an HLS playlist in UTF-16", bytes: utf16("#EXTM3U\n") },
  { name: "an HLS playlist behind a tag", bytes: Buffer.concat([id3Tag(20), raw("#EXTM3U\n"), sample("audio.mp3")]) },
  { name: "an HLS playlist before an MXF", bytes: Buffer.concat([raw("#EXTM3U\n\0"), sample("video.mxf")]) },
  { name: "a concat script", bytes: raw("ffconcat version 1.0\nfile /etc/passwd\n") },
  { name: "a Windows program", bytes: Buffer.concat([raw("MZ\u0090\0\u0003"), noise(500)]) },
  { name: "a Linux program", bytes: Buffer.concat([raw("\u007FELF\u0002\u0001\u0001\0"), noise(500)]) },
  { name: "a ZIP archive", bytes: zip([["a.txt", "hello"]]) },
  { name: "a ZIP archive with the folder of a docx", bytes: zip([["word/document.xml", "<w/>"]]) },
  { name: "a ZIP archive cut short", bytes: zip([["[Content_Types].xml", wordTypes]]).subarray(0, -30) },
  {
    name: "a Word template",
    bytes: zip([["[Content_Types].xml", wordTypes.replace("document.main", "template.main")]]),
  },
  {
    name: "a docx with macros",
    bytes: zip([
      ["[Content_Types].xml", wordTypes],
      ["word/vbaProject.bin", "x"],
    ]),
  },
  { name: "an old Word document", bytes: Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]) },
  { name: "a gzip bomb", bytes: gzipSync(Buffer.alloc(50_000_000)) },
  { name: "a camera's raw image", bytes: raw("II*\0\u0010\0\0\0CR\u0002\0") },
  { name: "a DNG", bytes: raw("II*\0\u0008\0\0\0\u0001\0\u0012\u00C6\u0001\0\u0004\0\0\0\0\0\0\0") },
  { name: "Canon's raw image", bytes: ftyp("crx ", "isom") },
  { name: "JPEG XL", bytes: Buffer.from("0000000c4a584c200d0a870a", "hex") },
  { name: "a bitmap without a header", bytes: raw("BM\0\0\0\0") },
  { name: "GIF without its version", bytes: raw("GIF\0\0\0") },
  { name: "one MP3 frame header before noise", bytes: Buffer.concat([Buffer.from("fffb9064", "hex"), noise(5000)]) },
  { name: "one ADTS header before noise", bytes: Buffer.concat([Buffer.from("fff15080", "hex"), noise(5000)]) },
  { name: "two sync bytes of a transport stream", bytes: packets({ stride: 188, count: 2 }) },
  { name: "QuickTime without a moov", bytes: box("mdat", noise(1000)) },
  {
    name: "a tag before a program",
    bytes: Buffer.concat([id3Tag(9), raw("\u007FELF\u0002\u0001\u0001\0"), noise(99)]),
  },
  { name: "a tag before a page", bytes: Buffer.concat([id3Tag(9), raw("<html><script>")]) },
];

async function tryAs(mediaType: MediaType, bytes: Buffer): Promise<Format | MediaTypeRefused> {
  try {
    return await recognise({
      mediaType,
      head: bytes.subarray(0, recogniseHeadBytes),
      sizeBytes: bytes.length,
      read: async (start, end) => bytes.subarray(start, end),
    });
  } catch (error) {
    assert.ok(error instanceof MediaTypeRefused, `${mediaType.contentType}: ${String(error)}`);
    return error;
  }
}

async function acceptedTypes(bytes: Buffer): Promise<string[]> {
  const accepted: string[] = [];
  for (const mediaType of mediaTypes) {
    const outcome = await tryAs(mediaType, bytes);
    if (outcome instanceof MediaTypeRefused) assert.equal(outcome.code, "content_does_not_match_type");
    else accepted.push(mediaType.contentType);
  }
  return accepted.toSorted();
}

describe("each sample under each type", () => {
  test("every file of the folder is in the table, and every type and format has a sample", async () => {
    const samples = [
      ...Object.entries(files).map(([name, accepted]) => ({ bytes: sample(name), accepted })),
      ...variants,
    ];
    const seenFormats = new Set<Format>();
    for (const { bytes, accepted } of samples) {
      for (const contentType of accepted) {
        const outcome = await tryAs(findMediaType(contentType), bytes);
        if (!(outcome instanceof MediaTypeRefused)) seenFormats.add(outcome);
      }
    }
    const seenTypes = new Set(samples.flatMap(({ accepted }) => accepted));

    assert.deepEqual(readdirSync(folder).toSorted(), Object.keys(files).toSorted());
    assert.deepEqual([...seenFormats].toSorted(), Object.keys(formats).toSorted());
    assert.equal(seenTypes.size, mediaTypes.length);
  });

  for (const [name, accepted] of Object.entries(files)) {
    test(`${name}: ${accepted.join(", ") || "no type"}`, async () => {
      assert.deepEqual(await acceptedTypes(sample(name)), [...accepted].toSorted());
    });
  }

  for (const { name, bytes, accepted } of variants) {
    test(`${name}: ${accepted.join(", ")}`, async () => {
      assert.deepEqual(await acceptedTypes(bytes), [...accepted].toSorted());
    });
  }

  for (const { name, bytes } of refusedEverywhere) {
    test(`${name}: no type`, async () => {
      assert.deepEqual(await acceptedTypes(bytes), []);
    });
  }
});

describe("recognise", () => {
  const png = findMediaType("image/png");

  test("415 that says so when the file is empty", async () => {
    for (const mediaType of mediaTypes) {
      await assert.rejects(recognise({ mediaType, head: new Uint8Array(), sizeBytes: 0 }), {
        code: "content_does_not_match_type",
        message: /is empty/u,
      });
    }
  });

  const messages: [string, ContentType, Buffer, RegExp][] = [
    ["a PDF", "image/png", sample("document.pdf"), /declared as image\/png.+look like PDF \(application\/pdf\)/u],
    ["a page", "image/png", raw("<!doctype html><html></html>"), /look like text\/html/u],
    ["an SVG", "image/png", raw('<svg xmlns="http://www.w3.org/2000/svg"/>'), /look like image\/svg\+xml/u],
    ["a program", "video/mp4", Buffer.concat([raw("\u007FELF\u0002\u0001\u0001\0"), noise(99)]), /application\/x-elf/u],
    ["a Matroska file", "video/webm", sample("video.mkv"), /declared as video\/webm.+Matroska/u],
    ["a docm", docx, sample("macros.docm"), /an Office file with macros/u],
    ["a locked docx", docx, lockedOffice, /an Office file that is locked with a password/u],
    ["a ZIP archive", docx, zip([["a", "b"]]), /a ZIP archive/u],
    ["noise", "audio/mpeg", noise(1000), /look like no file type we know; the file may be damaged/u],
    [
      "a cut transport stream",
      "video/mp2t",
      packets({ stride: 188, count: 2 }),
      /look like no file type we know; the file may be damaged/u,
    ],
    ["a playlist", "text/plain", raw("#EXTM3U\n"), /a playlist/u],
    ["a plain text", "application/x-subrip", raw("hello\n"), /look like text \(text\/plain\)/u],
  ];
  for (const [what, contentType, bytes, message] of messages) {
    test(`names both for ${what} declared as ${contentType}`, async () => {
      const outcome = await tryAs(findMediaType(contentType), bytes);

      assert.ok(outcome instanceof MediaTypeRefused);
      assert.match(outcome.message, message);
    });
  }

  test("passes on what the store throws, which is no fault of the file", async () => {
    const head = sample("document.docx").subarray(0, 100);
    const read = async () => await Promise.reject(new Error("store out of reach"));

    await assert.rejects(recognise({ mediaType: findMediaType(docx), head, sizeBytes: 913, read }), {
      message: "store out of reach",
    });
  });

  test("reads nothing beyond the head of a long media file, and little of a long document", async () => {
    const cases: [ContentType, Buffer, number][] = [
      ["video/mp4", Buffer.concat([sample("video.mp4"), Buffer.alloc(200_000)]), 0],
      ["video/mp2t", packets({ stride: 188, count: 1000 }), 0],
      ["image/png", Buffer.concat([sample("image.png"), Buffer.alloc(200_000)]), 0],
      ["text/plain", Buffer.alloc(50_000_000, "hello "), 8],
      [
        docx,
        zip([
          ["a", noise(300_000)],
          ["[Content_Types].xml", wordTypes],
        ]),
        4,
      ],
    ];
    for (const [contentType, bytes, maxReads] of cases) {
      let reads = 0;
      await recognise({
        mediaType: findMediaType(contentType),
        head: bytes.subarray(0, recogniseHeadBytes),
        sizeBytes: bytes.length,
        read: async (start, end) => {
          reads++;
          return bytes.subarray(start, end);
        },
      });

      assert.ok(reads <= maxReads, `${contentType}: ${reads} reads`);
    }
  });

  test("uses the tail instead of reading it", async () => {
    const bytes = zip([
      ["a", noise(300_000)],
      ["[Content_Types].xml", wordTypes],
    ]);
    const head = bytes.subarray(0, recogniseHeadBytes);

    const format = await recognise({
      mediaType: findMediaType(docx),
      head,
      tail: bytes.subarray(-70_000),
      sizeBytes: bytes.length,
    });

    assert.equal(format, "docx");
  });

  test("takes a file whose ranges cannot be read by its head alone", async () => {
    assert.equal(await recognise({ mediaType: png, head: sample("image.png"), sizeBytes: 10_000_000 }), "png");
  });

  test("only ever accepts or answers 415, whatever is changed in a sample", async () => {
    const names = Object.keys(files).filter((name) => name !== "generate.sh");
    let seed = 1;
    for (const name of names) {
      for (let round = 0; round < 20; round++) {
        const bytes = mutate(sample(name), seed++);
        const mediaType = mediaTypes[seed % mediaTypes.length] ?? png;
        const outcome = await tryAs(mediaType, bytes);

        if (outcome instanceof MediaTypeRefused)
          assert.equal(outcome.code, "content_does_not_match_type", `${name}, seed ${seed}`);
      }
    }
  });
});

function mutate(original: Buffer, seed: number): Buffer {
  const bytes = Buffer.from(original);
  const changes = noise(32, seed);
  for (let index = 0; index < 8; index++) {
    const at = (changes.readUInt16BE(index * 2) * 7) % Math.min(bytes.length, index < 4 ? 64 : bytes.length);
    bytes[at] = changes[16 + index] ?? 0;
  }
  return seed % 5 === 0 ? bytes.subarray(0, (changes.readUInt16BE(30) * 3) % bytes.length) : bytes;
}
