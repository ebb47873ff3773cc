export type Matrix = readonly [number, number, number, number, number, number];

export type Box = { minX: number; minY: number; maxX: number; maxY: number };

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

export const everywhere: Box = { minX: -Infinity, minY: -Infinity, maxX: Infinity, maxY: Infinity };

export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** `minMax`: left, bottom, right and top before the matrix. Anything else covers the whole page. */
export function boxOf(matrix: Matrix, minMax: unknown): Box {
  const [minX, minY, maxX, maxY] = toArray(minMax).map(Number);
  if (minX === undefined || minY === undefined || maxX === undefined || maxY === undefined) return everywhere;
  const corners = [
    apply(matrix, minX, minY),
    apply(matrix, maxX, minY),
    apply(matrix, minX, maxY),
    apply(matrix, maxX, maxY),
  ];
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}

export function intersect(a: Box, b: Box): Box {
  return {
    minX: Math.max(a.minX, b.minX),
    minY: Math.max(a.minY, b.minY),
    maxX: Math.min(a.maxX, b.maxX),
    maxY: Math.min(a.maxY, b.maxY),
  };
}

export function isInside(box: Box, x: number, y: number): boolean {
  return x >= box.minX && x <= box.maxX && y >= box.minY && y <= box.maxY;
}

export function toArray(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return ArrayBuffer.isView(value) ? [...(value as unknown as Iterable<unknown>)] : [];
}

export function toMatrix(values: unknown[]): Matrix {
  const [a, b, c, d, e, f] = values.map(Number);
  return a === undefined || b === undefined || c === undefined || d === undefined || e === undefined || f === undefined
    ? identity
    : [a, b, c, d, e, f];
}
