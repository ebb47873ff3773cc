import { closeSync, openSync, readSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The trained heads as they are shipped: `npm run train` writes them. */
export const headsFile = fileURLToPath(new URL("../../../../rulepacks/meaning/heads.bin", import.meta.url));

/** What a head needs to turn its score into an answer. */
export type TopicHead = {
  topic: string;
  bias: number;
  /** One step of a stored weight. */
  scale: number;
  /** At or above it the text is taken for an offence. */
  threshold: number;
  /** Below it the head is sure that the text is honest. */
  honestBelow: number;
};

export type HeadsHeader = {
  /** Of the texts and of the trainer: weights that do not belong to them are stale. */
  trainedFrom: string;
  texts: number;
  features: number;
  heads: TopicHead[];
};

/** The weight of feature f for topic t is at `f * heads.length + t`, in steps of the head's scale. */
export type StoredHeads = HeadsHeader & { keys: Uint32Array; rarity: Float32Array; weights: Int8Array };

export function writeHeads(path: string, { keys, rarity, weights, ...header }: StoredHeads): void {
  const json = Buffer.from(JSON.stringify(header));
  const padding = Buffer.alloc((4 - (json.length % 4)) % 4, " ");
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length + padding.length);
  writeFileSync(path, Buffer.concat([length, json, padding, bytesOf(keys), bytesOf(rarity), bytesOf(weights)]));
}

/** All but the weights, which are most of the file. */
export function readHeads(path: string): Omit<StoredHeads, "weights"> {
  return readParts(path, ({ header, read }) => {
    const known = read(header.features * 8);
    return {
      ...header,
      keys: new Uint32Array(known, 0, header.features),
      rarity: new Float32Array(known, header.features * 4, header.features),
    };
  });
}

export function readWeights(path: string): Int8Array {
  return readParts(path, ({ header: { features, heads }, read }) => {
    return new Int8Array(read(features * heads.length, features * 8));
  });
}

type Parts = { header: HeadsHeader; read: (length: number, from?: number) => ArrayBuffer };

function readParts<Result>(path: string, use: (parts: Parts) => Result): Result {
  const file = openSync(path, "r");
  const readAt = (place: number, length: number) => {
    // Filled below: to set megabytes to zero before would take as long as a third of reading them.
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let done = 0; done < length;) {
      const taken = readSync(file, bytes, done, length - done, place + done);
      if (taken === 0) throw new Error(`${path} is shorter than its header says.`);
      done += taken;
    }
    return bytes;
  };
  try {
    const length = new DataView(readAt(0, 4).buffer).getUint32(0, true);
    const header = JSON.parse(Buffer.from(readAt(4, length)).toString("utf8")) as HeadsHeader;
    return use({ header, read: (size, from = 0) => readAt(4 + length + from, size).buffer });
  } finally {
    closeSync(file);
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | Float32Array | Int8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
