import { createHash } from "node:crypto";
import { keptRanges } from "./confirm-hash.ts";
import { piecesOf, type SignedFile, signedHashes } from "./signed-hash.ts";

/** A box that is left out of the hash, or ranges of it. */
type Exclusion = {
  xpath: string;
  length?: number | null;
  data?: { offset: number; value: number[] }[] | null;
  subset?: { offset: number; length: number }[] | null;
  version?: number | null;
  flags?: number[] | null;
  exact?: boolean | null;
};

type Box = { type: string; from: number; to: number; headerBytes: number };
type Range = { from: number; to: number };

/** A file with more boxes side by side than this is made to keep us busy. */
const maxBoxes = 20_000;
/** What lies inside begins after the version and flags of the box. */
const fullContainers = new Set(["meta"]);

/**
 * The same as `matchesDataHash` for MP4 and its relatives, where boxes are left out by their names, and each box that
 * stays is hashed with its place in the file. Null: no such hash, or one of a tree of hashes, which is not computed here.
 */
export function matchesBmffHash(report: unknown, file: SignedFile): boolean | null {
  const hashes = signedHashes(report, file.activeLabel, /^c2pa\.hash\.bmff(?:\.v\d+)?(?:__\d+)?$/);
  if (hashes.length === 0 || hashes.some(({ assertion }) => hasTree(assertion.merkle))) return null;
  const boxes = boxesIn(file, { from: 0, to: file.sizeBytes });
  if (boxes === null) return null;
  return hashes.every(({ label, assertion, algorithm, wanted }) => {
    if (algorithm === null) return false;
    const excluded = ((assertion.exclusions ?? []) as Exclusion[]).flatMap((exclusion) =>
      rangesOf(exclusion, { file, boxes }),
    );
    // The first version of the standard hashed no places.
    const isPlaced = /\.v\d/.test(label);
    const starts = new Set(isPlaced ? boxes.map(({ from }) => from) : []);
    const digest = createHash(algorithm);
    for (const range of keptRanges(excluded, file.sizeBytes)) {
      for (const part of splitAt(range, starts)) {
        if (starts.has(part.from)) digest.update(bigEndian(part.from));
        for (const piece of piecesOf(file, part)) digest.update(piece);
      }
    }
    return digest.digest("base64") === wanted;
  });
}

function hasTree(merkle: unknown): boolean {
  return Array.isArray(merkle) && merkle.length > 0;
}

function rangesOf(exclusion: Exclusion, { file, boxes }: { file: SignedFile; boxes: Box[] }): Range[] {
  const named = boxesAt(exclusion.xpath, { file, boxes });
  return named
    .filter((box) => isMeant(exclusion, box, file))
    .flatMap(({ from, to }) =>
      (exclusion.subset ?? []).length === 0
        ? [{ from, to }]
        : (exclusion.subset ?? []).map(({ offset, length }) => ({
            from: Math.min(to, from + offset),
            to: length === 0 ? to : Math.min(to, from + offset + length),
          })),
    );
}

/** `/moov/trak[2]/…`: all boxes of that name, or the one of that number. */
function boxesAt(xpath: string, { file, boxes }: { file: SignedFile; boxes: Box[] }): Box[] {
  const steps = xpath.split("/").slice(1);
  let found: Box[] = [];
  for (const [depth, step] of steps.entries()) {
    const [, name = "", number] = /^(.{4})(?:\[(\d+)\])?$/s.exec(step) ?? [];
    const inside = depth === 0 ? [boxes] : found.map((box) => childrenOf(file, box));
    found = inside.flatMap((siblings) => {
      const same = siblings.filter(({ type }) => type === name);
      return number === undefined ? same : same.slice(Number(number) - 1, Number(number));
    });
  }
  return found;
}

function childrenOf(file: SignedFile, { type, from, to, headerBytes }: Box): Box[] {
  const start = from + headerBytes + (fullContainers.has(type) ? 4 : 0);
  return boxesIn(file, { from: start, to }) ?? [];
}

function isMeant({ length, data, version, flags, exact }: Exclusion, box: Box, { read }: SignedFile): boolean {
  const at = (offset: number, count: number) => Buffer.from(read(box.from + offset, count));
  if (typeof length === "number" && length !== box.to - box.from) return false;
  if (typeof version === "number" && at(box.headerBytes, 1)[0] !== version) return false;
  if (flags !== undefined && flags !== null) {
    const own = at(box.headerBytes + 1, 3);
    if (!flags.every((flag, index) => (exact === false ? flag & (own[index] ?? 0) : own[index]) === flag)) return false;
  }
  return (data ?? []).every(({ offset, value }) => at(offset, value.length).equals(Buffer.from(value)));
}

/** The boxes side by side from one place to another; null: they are none. */
function boxesIn({ read }: SignedFile, { from, to }: Range): Box[] | null {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to;) {
    const header = Buffer.from(read(at, 16));
    const short = header.readUInt32BE(0);
    const isLong = short === 1 && header.length >= 16;
    const size = isLong ? Number(header.readBigUInt64BE(8)) : short === 0 ? to - at : short;
    const headerBytes = isLong ? 16 : 8;
    if (size < headerBytes || at + size > to || boxes.length >= maxBoxes) return null;
    boxes.push({ type: header.toString("latin1", 4, 8), from: at, to: at + size, headerBytes });
    at += size;
  }
  return boxes;
}

function splitAt({ from, to }: Range, places: ReadonlySet<number>): Range[] {
  const cuts = [from, ...[...places].filter((place) => place > from && place < to), to];
  return cuts.slice(1).map((end, index) => ({ from: cuts[index] ?? from, to: end }));
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
