/**
 * A QR code of a short text (ISO/IEC 18004): bytes, correction level M, the smallest of the versions 1 to 10 that holds
 * it. True is dark. Undefined where the text is too long.
 */
export function qrCode(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text);
  const index = versions.findIndex((version, at) => bytes.length <= dataLength(version) - (at + 1 < 10 ? 2 : 3));
  const version = versions[index];
  if (version === undefined) return undefined;
  const grid = createGrid(index + 1, version.alignment);
  placeBits(grid, interleave(dataCodewords(bytes, index + 1, dataLength(version)), version));
  const masked = masks.map((_, mask) => finish(grid, mask));
  return masked.reduce((best, other) => (penalty(other) < penalty(best) ? other : best));
}

type Version = { total: number; correction: number; blocks: number; alignment: number[] };

/** Codewords in all, correction codewords a block, blocks, and where alignment patterns are. */
const versions: Version[] = [
  { total: 26, correction: 10, blocks: 1, alignment: [] },
  { total: 44, correction: 16, blocks: 1, alignment: [6, 18] },
  { total: 70, correction: 26, blocks: 1, alignment: [6, 22] },
  { total: 100, correction: 18, blocks: 2, alignment: [6, 26] },
  { total: 134, correction: 24, blocks: 2, alignment: [6, 30] },
  { total: 172, correction: 16, blocks: 4, alignment: [6, 34] },
  { total: 196, correction: 18, blocks: 4, alignment: [6, 22, 38] },
  { total: 242, correction: 22, blocks: 4, alignment: [6, 24, 42] },
  { total: 292, correction: 22, blocks: 5, alignment: [6, 26, 46] },
  { total: 346, correction: 26, blocks: 5, alignment: [6, 28, 50] },
];

const masks: ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

function dataLength({ total, correction, blocks }: Version): number {
  return total - correction * blocks;
}

function dataCodewords(bytes: Uint8Array, version: number, length: number): number[] {
  const bits: number[] = [];
  const push = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  push(0b0100, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, length * 8 - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  const words: number[] = [];
  for (let at = 0; at < bits.length; at += 8) words.push(parseInt(bits.slice(at, at + 8).join(""), 2));
  for (let pad = 0; words.length < length; pad += 1) words.push(pad % 2 === 0 ? 0xec : 0x11);
  return words;
}

/** Blocks one after another, codeword by codeword; the longer blocks are last. */
function interleave(words: readonly number[], { correction, blocks }: Version): number[] {
  const short = Math.floor(words.length / blocks);
  const longCount = words.length % blocks;
  let at = 0;
  const data = Array.from({ length: blocks }, (_, block) => {
    const size = short + (block >= blocks - longCount ? 1 : 0);
    at += size;
    return words.slice(at - size, at);
  });
  const checks = data.map((block) => remainder(block, generator(correction)));
  return [...columns(data), ...columns(checks)];
}

function columns(blocks: readonly (readonly number[])[]): number[] {
  const length = Math.max(...blocks.map((block) => block.length));
  return Array.from({ length }, (_, at) => blocks.flatMap((block) => block[at] ?? [])).flat();
}

/** In the field of 256 elements that x⁸ + x⁴ + x³ + x² + 1 makes. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

/** (x − 1)(x − 2)(x − 4)…, without its first coefficient, which is 1. */
function generator(degree: number): number[] {
  let poly = [1];
  let root = 1;
  for (let factor = 0; factor < degree; factor += 1) {
    const times = poly.map((coefficient) => multiply(coefficient, root));
    poly = [...poly, 0].map((coefficient, at) => coefficient ^ (times[at - 1] ?? 0));
    root = multiply(root, 2);
  }
  return poly.slice(1);
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  let rest: number[] = divisor.map(() => 0);
  for (const word of data) {
    const factor = word ^ (rest[0] ?? 0);
    rest = divisor.map((coefficient, at) => (rest[at + 1] ?? 0) ^ multiply(coefficient, factor));
  }
  return rest;
}

/** Null: a module that data may take. */
type Grid = { cells: (boolean | null)[][]; data: boolean[][]; version: number };

function createGrid(version: number, alignment: readonly number[]): Grid {
  const size = 17 + 4 * version;
  const cells = Array.from({ length: size }, () => Array.from({ length: size }, (): boolean | null => null));
  const set = (row: number, column: number, isDark: boolean) => {
    const line = cells[row];
    if (line && column >= 0 && column < size) line[column] = isDark;
  };
  const square = (row: number, column: number, reach: number, isDark: (ring: number) => boolean) => {
    for (let y = -reach; y <= reach; y += 1)
      for (let x = -reach; x <= reach; x += 1) set(row + y, column + x, isDark(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  const last = alignment.at(-1);
  for (const row of alignment)
    for (const column of alignment) {
      const isCorner = (row === 6 && column === 6) || (row === 6 && column === last) || (row === last && column === 6);
      if (!isCorner) square(row, column, 2, (ring) => ring !== 1);
    }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(row, column, 4, (ring) => ring !== 2 && ring !== 4);
  const grid = { cells, data: cells.map((line) => line.map(() => false)), version };
  // Kept free of data; the mask says later what is in them.
  writeFormat(cells, 0);
  if (version >= 7) writeVersion(cells, version);
  return grid;
}

/** `value` with its check bits behind it: what is left of a division by `divisor`. */
function withChecks(value: number, divisor: number, checkBits: number): number {
  let rest = value << checkBits;
  for (let bit = 31 - Math.clz32(rest); bit >= checkBits; bit = 31 - Math.clz32(rest))
    rest ^= divisor << (bit - checkBits);
  return (value << checkBits) | rest;
}

function writeFormat(cells: Grid["cells"], mask: number): void {
  const size = cells.length;
  // Level M is 00.
  const bits = withChecks(mask, 0x537, 10) ^ 0x5412;
  const set = (row: number, column: number, bit: number) => {
    const line = cells[row];
    if (line) line[column] = ((bits >> bit) & 1) === 1;
  };
  for (let bit = 0; bit < 15; bit += 1) {
    // Around the corner, past the timing patterns; and once more, shared by the two other corners.
    if (bit < 6) set(bit, 8, bit);
    else if (bit < 8) set(bit + 1, 8, bit);
    else set(8, bit === 8 ? 7 : 14 - bit, bit);
    if (bit < 8) set(8, size - 1 - bit, bit);
    else set(size - 15 + bit, 8, bit);
  }
  const line = cells[size - 8];
  if (line) line[8] = true;
}

function writeVersion(cells: Grid["cells"], version: number): void {
  const bits = withChecks(version, 0x1f25, 12);
  for (let bit = 0; bit < 18; bit += 1) {
    const [a, b] = [Math.floor(bit / 3), cells.length - 11 + (bit % 3)];
    const isDark = ((bits >> bit) & 1) === 1;
    const [upper, lower] = [cells[a], cells[b]];
    if (upper) upper[b] = isDark;
    if (lower) lower[a] = isDark;
  }
}

/** Upwards and downwards in columns of two, from the right, leaving out the vertical timing pattern. */
function placeBits({ cells, data }: Grid, words: readonly number[]): void {
  const size = cells.length;
  let bit = 0;
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        const line = data[row];
        if (cells[row]?.[column] !== null || !line) continue;
        line[column] = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        bit += 1;
      }
    }
    isUp = !isUp;
  }
}

function finish({ cells, data }: Grid, mask: number): boolean[][] {
  const copy = cells.map((line) => [...line]);
  writeFormat(copy, mask);
  return copy.map((line, row) =>
    line.map((cell, column) => cell ?? (data[row]?.[column] === true) !== masks[mask]?.(row, column)),
  );
}

/** How hard it is to read: long runs, blocks, what looks like a finder, and more dark than light. */
function penalty(code: readonly (readonly boolean[])[]): number {
  const size = code.length;
  const turned = code.map((_, column) => code.map((line) => line[column] === true));
  let sum = 0;
  for (const line of [...code, ...turned]) {
    const text = line.map((isDark) => (isDark ? "1" : "0")).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    sum += 40 * [...text.matchAll(/(?=10111010000)|(?=00001011101)/g)].length;
  }
  for (let row = 1; row < size; row += 1)
    for (let column = 1; column < size; column += 1) {
      const cell = code[row]?.[column];
      const isBlock =
        cell === code[row - 1]?.[column] && cell === code[row]?.[column - 1] && cell === code[row - 1]?.[column - 1];
      if (isBlock) sum += 3;
    }
  const dark = code.flat().filter(Boolean).length / (size * size);
  return sum + 10 * Math.floor(Math.abs(dark * 20 - 10));
}
