import type { MediaFile } from "./media-file.ts";
import { type MetadataCollector, parseIso6709 } from "./metadata-collector.ts";

const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  title: 0x7ba9,
  writingApp: 0x5741,
  tags: 0x1254c367,
  tag: 0x7373,
  simpleTag: 0x67c8,
  tagName: 0x45a3,
  tagString: 0x4487,
  chapters: 0x1043a770,
  edition: 0x45b9,
  chapter: 0xb6,
  chapterDisplay: 0x80,
  chapterTitle: 0x85,
};

const containers = new Set([
  ids.segment,
  ids.info,
  ids.tags,
  ids.tag,
  ids.simpleTag,
  ids.chapters,
  ids.edition,
  ids.chapter,
  ids.chapterDisplay,
]);
const texts = new Set([ids.title, ids.writingApp, ids.tagName, ids.tagString, ids.chapterTitle]);

const names: Readonly<Record<string, string>> = {
  ARTIST: "author",
  AUTHOR: "author",
  DIRECTOR: "author",
  COPYRIGHT: "copyright",
  ENCODER: "software",
  COMMENT: "comment",
  DESCRIPTION: "description",
  SYNOPSIS: "description",
  LYRICS: "lyrics",
  DATE_RECORDED: "created",
  "COM.ANDROID.MANUFACTURER": "camera make",
  "COM.ANDROID.MODEL": "camera",
};

const maxElements = 50_000;
const maxValueBytes = 64 * 1024;

/** Matroska and WebM: the segment's information and tags, found by walking over the rest. */
export async function readMatroskaMetadata(file: MediaFile, found: MetadataCollector): Promise<void> {
  let visited = 0;
  let tagName = "";
  const walk = async (start: number, end: number): Promise<void> => {
    for (let offset = start; offset < end && visited < maxElements;) {
      visited += 1;
      const element = readElement(await file.read(offset, 12), offset, end);
      if (element === null) return;
      const { id, bodyStart, bodyEnd } = element;
      if (containers.has(id)) await walk(bodyStart, bodyEnd);
      else if (texts.has(id)) {
        const text = (await file.read(bodyStart, Math.min(bodyEnd - bodyStart, maxValueBytes))).toString("utf8");
        if (id === ids.chapterTitle) found.add("chapter", text, "Matroska ChapString");
        else if (id === ids.title) found.add("title", text, "Matroska Title");
        else if (id === ids.writingApp) found.add("software", text, "Matroska WritingApp");
        else if (id === ids.tagName) tagName = text.toUpperCase();
        else takeTag(tagName, text, found);
      }
      offset = bodyEnd;
    }
  };
  await walk(0, file.sizeBytes);
}

function takeTag(name: string, text: string, found: MetadataCollector): void {
  if (name === "LOCATION" || name === "RECORDING_LOCATION") found.addGps(parseIso6709(text), `Matroska ${name}`);
  if (Object.hasOwn(names, name)) found.add(names[name] ?? "", text, `Matroska ${name}`);
}

/** Id and size each tell their own length by the zeros they start with. */
function readElement(
  header: Buffer,
  offset: number,
  limit: number,
): { id: number; bodyStart: number; bodyEnd: number } | null {
  const idLength = Math.clz32(header[0] ?? 0) - 23;
  if (idLength > 4 || header.length <= idLength) return null;
  const sizeLength = Math.clz32(header[idLength] ?? 0) - 23;
  if (sizeLength > 8 || header.length < idLength + sizeLength) return null;
  let size = (header[idLength] ?? 0) & (0xff >> sizeLength);
  let isUnknown = size === 0xff >> sizeLength;
  for (let index = 1; index < sizeLength; index += 1) {
    const byte = header[idLength + index] ?? 0;
    size = size * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  const bodyStart = offset + idLength + sizeLength;
  // A live recording does not know its length: it goes on to the end of what holds it.
  const bodyEnd = isUnknown ? limit : Math.min(limit, bodyStart + size);
  return { id: header.readUIntBE(0, idLength), bodyStart, bodyEnd };
}
