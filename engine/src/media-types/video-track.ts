import { type ByteSource, latin1 } from "./byte-source.ts";
import type { Format } from "./media-types.ts";

/** Whether a container that holds audio or video holds video: such a file is no audio file, whatever it is called. */
export async function hasVideoTrack(source: ByteSource, format: Format): Promise<boolean> {
  const window = windowOn(source);
  if (format === "iso-media" || format === "old-quicktime") return await isoHasVideo(window);
  if (format === "webm" || format === "matroska") return await matroskaHasVideo(window);
  return false;
}

/** Reads a stretch at a time: every read may be a request to the store. */
type Window = { sizeBytes: number; bytes(start: number, end: number): Promise<Buffer> };

const windowBytes = 64 * 1024;

function windowOn(source: ByteSource): Window {
  let start = 0;
  let held = source.head;
  return {
    sizeBytes: source.sizeBytes,
    async bytes(first, last) {
      if (first < start || last > start + held.length) {
        held = await source.bytes(first, first + Math.max(windowBytes, last - first));
        start = first;
      }
      return held.subarray(first - start, last - start);
    },
  };
}

type Box = { type: string; start: number; end: number };

// A crafted file can hold as many boxes as it likes.
const maxBoxes = 512;

async function* boxesIn(window: Window, { start, end }: { start: number; end: number }): AsyncGenerator<Box> {
  let at = start;
  for (let count = 0; count < maxBoxes && at + 8 <= end; count++) {
    const head = await window.bytes(at, at + 16);
    if (head.length < 8) return;
    const announced = head.readUInt32BE(0);
    const isLarge = announced === 1 && head.length === 16;
    const size = announced === 0 ? end - at : isLarge ? Number(head.readBigUInt64BE(8)) : announced;
    const headBytes = isLarge ? 16 : 8;
    if (size < headBytes) return;
    yield { type: latin1(head, 4, 8), start: at + headBytes, end: Math.min(at + size, end) };
    at += size;
  }
}

async function findBox(
  window: Window,
  within: { start: number; end: number },
  path: string[],
): Promise<Box | undefined> {
  const [type, ...rest] = path;
  for await (const box of boxesIn(window, within))
    if (box.type === type) return rest.length === 0 ? box : await findBox(window, box, rest);
  return undefined;
}

async function isoHasVideo(window: Window): Promise<boolean> {
  const moov = await findBox(window, { start: 0, end: window.sizeBytes }, ["moov"]);
  if (!moov) return false;
  for await (const trak of boxesIn(window, moov)) {
    if (trak.type !== "trak") continue;
    const handler = await findBox(window, trak, ["mdia", "hdlr"]);
    const kind = handler && latin1(await window.bytes(handler.start + 8, handler.start + 12));
    if (kind === "vide" && !(await isSlideShow(window, trak))) return true;
  }
  return false;
}

const pictureCodecs: ReadonlySet<string> = new Set(["jpeg", "png ", "gif ", "tiff", "BMP "]);

/** Audio books and podcasts have a picture for each chapter, as a track of still pictures. */
async function isSlideShow(window: Window, trak: Box): Promise<boolean> {
  const stbl = await findBox(window, trak, ["mdia", "minf", "stbl"]);
  const described = stbl && (await findBox(window, stbl, ["stsd"]));
  if (!stbl || !described) return false;
  const codec = latin1(await window.bytes(described.start + 12, described.start + 16));
  if (!pictureCodecs.has(codec)) return false;
  const [header, sizes] = [await findBox(window, trak, ["mdia", "mdhd"]), await findBox(window, stbl, ["stsz"])];
  if (!header || !sizes) return false;
  const pictures = await readUint32(window, sizes.start + 8);
  const isLong = (await window.bytes(header.start, header.start + 1))[0] === 1;
  const timescale = await readUint32(window, header.start + (isLong ? 20 : 12));
  const duration = await readUint32(window, header.start + (isLong ? 28 : 16));
  return pictures <= 1 || pictures * timescale <= duration;
}

async function readUint32(window: Window, at: number): Promise<number> {
  const bytes = await window.bytes(at, at + 4);
  return bytes.length === 4 ? bytes.readUInt32BE(0) : 0;
}

const ids = { segment: 0x18538067, tracks: 0x1654ae6b, cluster: 0x1f43b675, trackEntry: 0xae, trackType: 0x83 };
const videoTrackType = 1;

type Element = { id: number; start: number; end: number };

async function* elementsIn(window: Window, { start, end }: { start: number; end: number }): AsyncGenerator<Element> {
  let at = start;
  for (let count = 0; count < maxBoxes && at < end; count++) {
    const head = await window.bytes(at, at + 12);
    const idLength = lengthOf(head[0]);
    const sizeLength = lengthOf(head[idLength]);
    if (idLength > 4 || sizeLength > 8 || head.length < idLength + sizeLength) return;
    const size = valueOf(head.subarray(idLength, idLength + sizeLength));
    const first = at + idLength + sizeLength;
    const last = size === undefined ? end : Math.min(first + size, end);
    yield { id: head.readUIntBE(0, idLength), start: first, end: last };
    at = last;
  }
}

/** How many bytes an EBML number has: one more than there are zero bits before its first one. */
function lengthOf(first: number | undefined): number {
  return first === undefined || first === 0 ? Infinity : Math.clz32(first) - 23;
}

/** Undefined: the size is not known, and the element goes on to the end of the one around it. */
function valueOf(bytes: Buffer): number | undefined {
  const length = bytes.length;
  let value = (bytes[0] ?? 0) & ((1 << (8 - length)) - 1);
  let isUnknown = value === (1 << (8 - length)) - 1;
  for (const byte of bytes.subarray(1)) {
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return isUnknown ? undefined : value;
}

async function matroskaHasVideo(window: Window): Promise<boolean> {
  for await (const top of elementsIn(window, { start: 0, end: window.sizeBytes })) {
    if (top.id !== ids.segment) continue;
    for await (const part of elementsIn(window, top)) {
      if (part.id === ids.tracks) return await tracksHaveVideo(window, part);
      if (part.id === ids.cluster) return false;
    }
  }
  return false;
}

async function tracksHaveVideo(window: Window, tracks: Element): Promise<boolean> {
  for await (const track of elementsIn(window, tracks)) {
    if (track.id !== ids.trackEntry) continue;
    for await (const { id, start, end } of elementsIn(window, track))
      if (id === ids.trackType && valueAt(await window.bytes(start, end)) === videoTrackType) return true;
  }
  return false;
}

function valueAt(bytes: Buffer): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}
