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

/** Answers with all weights, of which those of the features that were asked for so far are there. */
export type Weights = (features: ArrayLike<number>, from: number, to: number) => Int8Array;

/** All but the weights, which are most of the file; `weightsAt` is where they begin. */
export function readHeads(path: string): Omit<StoredHeads, "weights"> & { weightsAt: number } {
  const file = openSync(path, "r");
  const read = (place: number, length: number) => {
    const bytes = Buffer.allocUnsafeSlow(length);
    readAll(file, { bytes, place });
    return bytes;
  };
  try {
    const length = read(0, 4).readUInt32LE();
    const header = JSON.parse(read(4, length).toString("utf8")) as HeadsHeader;
    const { features } = header;
    const known = read(4 + length, features * 8).buffer;
    return {
      ...header,
      keys: new Uint32Array(known, 0, features),
      rarity: new Float32Array(known, features * 4, features),
      weightsAt: 4 + length + features * 8,
    };
  } finally {
    closeSync(file);
  }
}

/** Of the features: a text that has more of them reads all weights at once. */
const mostSingly = 0.02;

/** A sentence needs a few hundred rows of ninety thousand: to read all of them takes two milliseconds of its hundred. */
export function openWeights(
  path: string,
  { features, heads, weightsAt }: Pick<ReturnType<typeof readHeads>, "features" | "heads" | "weightsAt">,
): Weights {
  const width = heads.length;
  const file = openSync(path, "r");
  // Not set to zero: no page of it is touched before it is read.
  const bytes = Buffer.allocUnsafeSlow(features * width);
  const weights = new Int8Array(bytes.buffer);
  const isRead = new Uint8Array(features);
  let left = Math.floor(mostSingly * features);
  return (wanted, from, to) => {
    for (let index = from; index < to && left > 0; index += 1) {
      const feature = wanted[index] as number;
      if (isRead[feature] !== 0) continue;
      isRead[feature] = 1;
      left -= 1;
      const start = feature * width;
      if (left > 0) readAll(file, { bytes: bytes.subarray(start, start + width), place: weightsAt + start });
      else {
        readAll(file, { bytes, place: weightsAt });
        closeSync(file);
      }
    }
    return weights;
  };
}

function readAll(file: number, { bytes, place }: { bytes: Buffer; place: number }): void {
  for (let done = 0; done < bytes.length;) {
    const taken = readSync(file, bytes, done, bytes.length - done, place + done);
    if (taken === 0) throw new Error("The file of the trained heads is shorter than its header says.");
    done += taken;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | Float32Array | Int8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
