import { readFileSync, writeFileSync } from "node:fs";
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

export function readHeads(path: string): StoredHeads {
  const file = readFileSync(path);
  const length = file.readUInt32LE(0);
  const header = JSON.parse(file.toString("utf8", 4, 4 + length)) as HeadsHeader;
  // A copy of its own begins on a boundary, whatever part of a pool the file was read into.
  const rest = new Uint8Array(file.subarray(4 + length)).buffer;
  const { features, heads } = header;
  return {
    ...header,
    keys: new Uint32Array(rest, 0, features),
    rarity: new Float32Array(rest, features * 4, features),
    weights: new Int8Array(rest, features * 8, features * heads.length),
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | Float32Array | Int8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
