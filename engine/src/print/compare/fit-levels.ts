import { blockColumns, blockRows, blockValues, type PicturePrint } from "../print.ts";
import { blockDistance, frameAt, frameSecondsOf } from "./align.ts";

const blockCount = blockColumns * blockRows;

/** How the brightness of the master becomes that of the other file, for all of it alike. */
export type Levels = { gain: number; lift: number };

/** Fitted on frames that show the same, or else nearly so. */
export function fitLevels(master: PicturePrint, other: PicturePrint, offsetSeconds: number): Levels {
  let [n, sx, sy, sxx, sxy] = [0, 0, 0, 0, 0];
  for (const [frame, twin] of twinsOf(master, other, offsetSeconds))
    for (let block = 0; block < blockCount; block++) {
      const x = (master.blocks[frame * blockValues + block] as number) / 64;
      const y = (other.blocks[twin * blockValues + block] as number) / 64;
      [n, sx, sy, sxx, sxy] = [n + 1, sx + x, sy + y, sxx + x * x, sxy + x * y];
    }
  const spread = n * sxx - sx * sx;
  // Of one shade alone nothing can be told but how much lighter it is.
  if (n < 16 || spread / (n * n) < 100) return { gain: 1, lift: n === 0 ? 0 : (sy - sx) / n };
  const gain = (n * sxy - sx * sy) / spread;
  return { gain, lift: (sy - gain * sx) / n };
}

/** How far round the wheel all colours went, in radians, and how much stronger they are. */
export type Colours = { turn: number; saturation: number };

/** A film of little colour differs by little from its recoloured copy, frame by frame; over all frames it shows. */
export function fitColours(master: PicturePrint, other: PicturePrint, offsetSeconds: number): Colours {
  let [n, along, across, energy] = [0, 0, 0, 0];
  for (const [frame, twin] of twinsOf(master, other, offsetSeconds))
    for (let block = blockCount; block < 2 * blockCount; block++) {
      const [u, v] = colourOf(master, frame * blockValues + block);
      const [p, q] = colourOf(other, twin * blockValues + block);
      n += 1;
      along += u * p + v * q;
      across += u * q - v * p;
      energy += u * u + v * v;
    }
  if (n < 16 || energy / n < minColourEnergy) return { turn: 0, saturation: 1 };
  return { turn: Math.atan2(across, along), saturation: Math.hypot(along, across) / energy };
}

function colourOf({ blocks }: PicturePrint, place: number): [number, number] {
  return [(blocks[place] as number) / 64 - 128, (blocks[place + blockCount] as number) / 64 - 128];
}

/** Of grey pictures nothing can be told. */
const minColourEnergy = 4;

/** Frames of both files that show nearly the same. */
function* twinsOf(master: PicturePrint, other: PicturePrint, offsetSeconds: number): Generator<[number, number]> {
  const every = Math.max(1, Math.floor(master.times.length / 500));
  for (let frame = 0; frame < master.times.length; frame += every) {
    const at = (master.times[frame] as number) + offsetSeconds + 0.4 * frameSecondsOf(master);
    if (at < 0 || at > other.durationSeconds) continue;
    const twin = frameAt(other.times, at);
    if (blockDistance(master, frame, other, twin) <= 12) yield [frame, twin];
  }
}
