import { createHash } from "node:crypto";
import { AVDISCARD_ALL } from "node-av/constants";
import { Packet } from "node-av/lib";
import { openInput } from "../evidence/decode/node-av-input.ts";
import { serveWorker } from "../jail/serve-worker.ts";
import type { HashAnswer, HashedStream, HashRequest } from "./stream-hash.ts";

const longCode = Buffer.from([0, 0, 0, 1]);
const shortCode = Buffer.from([0, 0, 1]);

/** Hashes the same bytes as ffmpeg does with the filters of stream-hash.ts. */
await serveWorker<HashRequest, HashAnswer>(async ({ contentType, streams }, { file }) => {
  const input = await openInput(file, contentType);
  const hashes = streams.map((stream) => {
    const found = input.streams.find(({ index }) => index === stream.index);
    if (found === undefined) throw new Error("The file has other streams than when it was probed.");
    return { ...stream, bare: createBare(stream, found.codecpar.extradata), hash: createHash("sha256") };
  });
  for (const stream of input.streams)
    if (!hashes.some(({ index }) => index === stream.index)) stream.discard = AVDISCARD_ALL;
  const packet = new Packet();
  packet.alloc();
  while (input.readFrameSync(packet) >= 0) {
    const stream = hashes.find(({ index }) => index === packet.streamIndex);
    if (stream !== undefined && packet.data !== null)
      for (const piece of stream.bare(packet.data)) stream.hash.update(piece);
    packet.unref();
  }
  return { sha256: hashes.map(({ hash }) => hash.digest("hex")) };
});

function createBare({ codec }: HashedStream, extra: Buffer | null): (data: Buffer) => Buffer[] {
  if (codec === "h264" || codec === "hevc") {
    const isAvc = codec === "h264";
    // A record of the parameter sets says how long the lengths are; without one there are start codes.
    const lengthBytes = extra !== null && extra[0] === 1 ? ((extra[isAvc ? 4 : 21] ?? 3) & 3) + 1 : null;
    const isPicture = (unit: Buffer) =>
      isAvc ? ((unit[0] ?? 0) & 31) >= 1 && ((unit[0] ?? 0) & 31) <= 5 : (((unit[0] ?? 0) >> 1) & 63) <= 31;
    return (data) => {
      const units = (lengthBytes === null ? byStartCode(data) : byLength(data, lengthBytes)).filter(isPicture);
      return units.flatMap((unit, index) => [index === 0 ? longCode : shortCode, unit]);
    };
  }
  if (codec === "aac" && extra === null) return (data) => [withoutHeader(data)];
  return (data) => [data];
}

function byLength(data: Buffer, lengthBytes: number): Buffer[] {
  const units: Buffer[] = [];
  for (let at = 0; at + lengthBytes <= data.length;) {
    const length = data.readUIntBE(at, lengthBytes);
    units.push(trimmed(data.subarray(at + lengthBytes, at + lengthBytes + length)));
    at += lengthBytes + length;
  }
  return units;
}

function byStartCode(data: Buffer): Buffer[] {
  const units: Buffer[] = [];
  for (let at = data.indexOf(shortCode); at >= 0;) {
    const next = data.indexOf(shortCode, at + 3);
    units.push(trimmed(data.subarray(at + 3, next < 0 ? data.length : next)));
    at = next;
  }
  return units;
}

/** Zeros after a unit belong to nobody. */
function trimmed(unit: Buffer): Buffer {
  let end = unit.length;
  while (end > 0 && unit[end - 1] === 0) end -= 1;
  return unit.subarray(0, end);
}

/** ADTS: seven bytes, or nine with a checksum. */
function withoutHeader(data: Buffer): Buffer {
  const isHeader = data[0] === 0xff && ((data[1] ?? 0) & 0xf6) === 0xf0;
  return isHeader ? data.subarray(((data[1] ?? 0) & 1) === 1 ? 7 : 9) : data;
}
