import type { MetadataCollector } from "./metadata-collector.ts";

const names: Readonly<Record<string, string>> = {
  TPE1: "author",
  TP1: "author",
  TCOM: "author",
  TCM: "author",
  TOWN: "owner",
  TCOP: "copyright",
  TCR: "copyright",
  TENC: "software",
  TEN: "software",
  TSSE: "software",
  TSS: "software",
  TIT2: "title",
  TT2: "title",
  TDRC: "created",
};

const maxFrames = 2_000;

/** The ID3v2 tag at the start of an MP3, versions 2 to 4. */
export function readId3(bytes: Buffer, found: MetadataCollector): void {
  const version = bytes[3] ?? 0;
  if (bytes.length < 10 || version < 2 || version > 4) return;
  const [idBytes, headerBytes] = version === 2 ? [3, 6] : [4, 10];
  const end = Math.min(bytes.length, 10 + syncsafe(bytes, 6));
  let offset = 10;
  for (let count = 0; count < maxFrames && offset + headerBytes < end; count += 1) {
    const id = bytes.toString("latin1", offset, offset + idBytes);
    if (!/^[A-Z\d]+$/.test(id)) return;
    const size =
      version === 2
        ? bytes.readUIntBE(offset + 3, 3)
        : version === 4
          ? syncsafe(bytes, offset + 4)
          : bytes.readUInt32BE(offset + 4);
    const body = bytes.subarray(offset + headerBytes, Math.min(end, offset + headerBytes + size));
    takeFrame(id, body, found);
    offset += headerBytes + size;
  }
}

function takeFrame(id: string, body: Buffer, found: MetadataCollector): void {
  if (Object.hasOwn(names, id)) found.add(names[id] ?? "", decode(body, 1), `ID3 ${id}`);
  else if (id === "COMM" || id === "COM") found.add("comment", decode(body, 4).split("\0").at(-1), `ID3 ${id}`);
  else if (id === "USLT" || id === "ULT") found.add("lyrics", decode(body, 4).split("\0").at(-1), `ID3 ${id}`);
  else if (id === "SYLT" || id === "SLT") found.omit("Lyrics that run with the sound were not checked.");
  else if (id === "CHAP") found.add("chapter", titleOfChapter(body), "ID3 CHAP");
  else if (id === "TXXX" || id === "TXX") {
    const [name = "", value = ""] = decode(body, 1).split("\0");
    // Some writers have no other place for them.
    const isLyrics = /^(?:uslt|(?:unsynced ?)?lyrics)/i.test(name);
    found.add(isLyrics ? "lyrics" : name.slice(0, 100), value, `ID3 ${id}`);
  }
}

/** A chapter holds frames of its own; its title is one. */
function titleOfChapter(body: Buffer): string {
  const start = body.indexOf("TIT2");
  return start < 0 ? "" : decode(body.subarray(start + 10, start + 10 + body.readUInt32BE(start + 4)), 1);
}

/** The first byte names the encoding of the rest. */
function decode(body: Buffer, start: number): string {
  const text = body.subarray(start);
  const [encoding] = body;
  if (encoding === 3) return text.toString("utf8").replace(/\0+$/, "");
  if (encoding === 0) return text.toString("latin1").replace(/\0+$/, "");
  const isBigEndian = encoding === 2 || (text[0] === 0xfe && text[1] === 0xff);
  // Each string of a frame has a mark of its own.
  return new TextDecoder(isBigEndian ? "utf-16be" : "utf-16le")
    .decode(text)
    .replaceAll("\ufeff", "")
    .replace(/\0+$/, "");
}

/** Seven bits a byte, so that no length looks like the start of sound. */
function syncsafe(bytes: Buffer, offset: number): number {
  let value = 0;
  for (let index = 0; index < 4; index += 1) value = value * 128 + ((bytes[offset + index] ?? 0) & 127);
  return value;
}
