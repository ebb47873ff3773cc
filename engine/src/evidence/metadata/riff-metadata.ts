import { readId3 } from "./id3.ts";
import type { MediaFile } from "./media-file.ts";
import type { MetadataCollector } from "./metadata-collector.ts";
import { readXmp } from "./xmp-metadata.ts";

const names: Readonly<Record<string, string>> = {
  IART: "author",
  IENG: "author",
  ICOP: "copyright",
  ISFT: "software",
  ICMT: "comment",
  INAM: "title",
  ICRD: "created",
};

const maxChunks = 10_000;
const maxChunkBytes = 2 ** 20;

/** WAV and AVI: the INFO list, the broadcast extension, XMP and ID3 chunks. */
export async function readRiffMetadata(file: MediaFile, found: MetadataCollector): Promise<void> {
  let offset = 12;
  for (let count = 0; count < maxChunks && offset + 8 <= file.sizeBytes; count += 1) {
    const header = await file.read(offset, 12);
    if (header.length < 8) return;
    const id = header.toString("latin1", 0, 4);
    const size = header.readUInt32LE(4);
    const body = () => file.read(offset + 8, Math.min(size, maxChunkBytes));
    if (id === "LIST" && header.toString("latin1", 8, 12) === "INFO") readInfo(await body(), found);
    else if (id === "bext") readBroadcast(await body(), found);
    else if (id === "_PMX") readXmp((await body()).toString("utf8"), found);
    else if (id === "id3 " || id === "ID3 ") readId3(await body(), found);
    offset += 8 + size + (size % 2);
  }
}

function readInfo(list: Buffer, found: MetadataCollector): void {
  for (let offset = 4; offset + 8 <= list.length;) {
    const id = list.toString("latin1", offset, offset + 4);
    const size = list.readUInt32LE(offset + 4);
    const text = list.toString("utf8", offset + 8, Math.min(list.length, offset + 8 + size)).replace(/\0.*$/s, "");
    if (Object.hasOwn(names, id)) found.add(names[id] ?? "", text, `RIFF ${id}`);
    offset += 8 + size + (size % 2);
  }
}

/** Fixed fields: description, originator, its reference, date. */
function readBroadcast(body: Buffer, found: MetadataCollector): void {
  const field = (start: number, length: number) => body.toString("latin1", start, start + length).replace(/\0.*$/s, "");
  found.add("description", field(0, 256), "BWF description");
  found.add("author", field(256, 32), "BWF originator");
  found.add("created", field(320, 10), "BWF origination date");
}
