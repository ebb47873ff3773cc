import { OPS } from "pdfjs-dist/legacy/build/pdf.mjs";

type Matrix = readonly [number, number, number, number, number, number];

/** A stretch of a line of text, in the page's own units, that leaves nothing to see. */
export type InvisibleRun = { x: number; y: number; endX: number; endY: number };

export type InvisibleText = {
  runs: InvisibleRun[];
  /** What is drawn beside the part of the page that is shown; pdf.js leaves it out of the page's text. */
  outside: string[];
};

type Box = { minX: number; minY: number; maxX: number; maxY: number };

type State = {
  matrix: Matrix;
  mode: number;
  fill: string;
  fontSize: number;
  characterSpacing: number;
  wordSpacing: number;
  horizontalScale: number;
  leading: number;
  rise: number;
};

const identity: Matrix = [1, 0, 0, 1, 0, 0];
const invisibleMode = 3;

/**
 * Finds text that is drawn without a trace: in the invisible mode, or white where nothing dark was painted before. A
 * page with pictures is not judged for white text, because what they show is not known here.
 */
export function findInvisibleText(
  operators: { fnArray: readonly number[]; argsArray: readonly unknown[] },
  options: { hasImages: boolean; view: readonly number[] },
): InvisibleText {
  const found: InvisibleText = { runs: [], outside: [] };
  const shown = boxOf(identity, options.view);
  const painted: Box[] = [];
  const saved: State[] = [];
  let state: State = {
    matrix: identity,
    mode: 0,
    fill: "#000000",
    fontSize: 1,
    characterSpacing: 0,
    wordSpacing: 0,
    horizontalScale: 1,
    leading: 0,
    rise: 0,
  };
  let line: Matrix = identity;
  let text: Matrix = identity;

  const nextLine = (x: number, y: number) => {
    line = multiply(line, [1, 0, 0, 1, x, y]);
    text = line;
  };
  const show = (glyphs: unknown) => {
    const width = widthOf(glyphs, state);
    const whole = multiply(state.matrix, text);
    const [x, y] = apply(whole, 0, state.rise);
    const [endX, endY] = apply(whole, width, state.rise);
    if (isApart(shown, { x, y, endX, endY })) found.outside.push(textOf(glyphs));
    const isWhite = !options.hasImages && isNearlyWhite(state.fill) && !painted.some((box) => isInside(box, x, y));
    // Modes from 4 up also clip; 1 and 5 draw outlines, whose colour is another.
    if (state.mode === invisibleMode || (isWhite && (state.mode === 0 || state.mode === 4))) {
      found.runs.push({ x, y, endX, endY });
    }
    text = multiply(text, [1, 0, 0, 1, width, 0]);
  };

  for (const [index, operator] of operators.fnArray.entries()) {
    const args = toArray(operators.argsArray[index]);
    const [first, second] = [Number(args[0]), Number(args[1])];
    if (operator === OPS.save) saved.push({ ...state });
    else if (operator === OPS.restore) state = saved.pop() ?? state;
    else if (operator === OPS.transform) state.matrix = multiply(state.matrix, toMatrix(args));
    else if (operator === OPS.paintFormXObjectBegin) {
      saved.push({ ...state });
      state.matrix = multiply(state.matrix, toMatrix(toArray(args[0])));
    } else if (operator === OPS.paintFormXObjectEnd) state = saved.pop() ?? state;
    else if (operator === OPS.beginText) line = text = identity;
    else if (operator === OPS.setTextMatrix)
      line = text = toMatrix(toArray(args[0]).length === 6 ? toArray(args[0]) : args);
    else if (operator === OPS.moveText) nextLine(first, second);
    else if (operator === OPS.setLeadingMoveText) {
      state.leading = second;
      nextLine(first, second);
    } else if (operator === OPS.nextLine) nextLine(0, state.leading);
    else if (operator === OPS.setLeading) state.leading = -first;
    else if (operator === OPS.setFont) state.fontSize = second;
    else if (operator === OPS.setCharSpacing) state.characterSpacing = first;
    else if (operator === OPS.setWordSpacing) state.wordSpacing = first;
    else if (operator === OPS.setHScale) state.horizontalScale = first / 100;
    else if (operator === OPS.setTextRise) state.rise = first;
    else if (operator === OPS.setTextRenderingMode) state.mode = first;
    else if (operator === OPS.setFillRGBColor) state.fill = typeof args[0] === "string" ? args[0] : "#000000";
    // A pattern or a colour space that is not understood: take it as visible.
    else if (operator === OPS.setFillColorN) state.fill = "#000000";
    else if (operator === OPS.showText) show(args[0]);
    else if (operator === OPS.constructPath && isFill(args[0]) && !isNearlyWhite(state.fill)) {
      painted.push(boxOf(state.matrix, args[2]));
    } else if (operator === OPS.shadingFill) painted.push(everywhere);
  }
  return found;
}

const everywhere: Box = { minX: -Infinity, minY: -Infinity, maxX: Infinity, maxY: Infinity };

function isFill(operator: unknown): boolean {
  const fills: readonly unknown[] = [
    OPS.fill,
    OPS.eoFill,
    OPS.fillStroke,
    OPS.eoFillStroke,
    OPS.closeFillStroke,
    OPS.closeEOFillStroke,
  ];
  return fills.includes(operator);
}

function widthOf(glyphs: unknown, state: State): number {
  let width = 0;
  for (const glyph of Array.isArray(glyphs) ? (glyphs as unknown[]) : []) {
    if (typeof glyph === "number") width -= (glyph / 1000) * state.fontSize;
    else if (typeof glyph === "object" && glyph !== null) {
      const { width: units, isSpace } = glyph as { width?: number; isSpace?: boolean };
      width +=
        ((units ?? 0) / 1000) * state.fontSize + state.characterSpacing + (isSpace === true ? state.wordSpacing : 0);
    }
  }
  return width * state.horizontalScale;
}

function textOf(glyphs: unknown): string {
  const list = Array.isArray(glyphs) ? (glyphs as unknown[]) : [];
  return list
    .map((glyph) => {
      // A step back of a fifth of the font's size is how most writers make a space.
      if (typeof glyph === "number") return glyph < -200 ? " " : "";
      const unicode = typeof glyph === "object" && glyph !== null && "unicode" in glyph ? glyph.unicode : "";
      return typeof unicode === "string" ? unicode : "";
    })
    .join("");
}

/** Wholly beside it. Half a unit of slack: text that touches the edge is seen. */
function isApart(box: Box, run: InvisibleRun): boolean {
  return (
    Math.max(run.x, run.endX) < box.minX - 0.5 ||
    Math.min(run.x, run.endX) > box.maxX + 0.5 ||
    Math.max(run.y, run.endY) < box.minY - 0.5 ||
    Math.min(run.y, run.endY) > box.maxY + 0.5
  );
}

function isNearlyWhite(colour: string): boolean {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255].every((part) => part >= 250);
}

function boxOf(matrix: Matrix, minMax: unknown): Box {
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

function isInside(box: Box, x: number, y: number): boolean {
  return x >= box.minX && x <= box.maxX && y >= box.minY && y <= box.maxY;
}

function toArray(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return ArrayBuffer.isView(value) ? [...(value as unknown as Iterable<unknown>)] : [];
}

function toMatrix(values: unknown[]): Matrix {
  const [a, b, c, d, e, f] = values.map(Number);
  return a === undefined || b === undefined || c === undefined || d === undefined || e === undefined || f === undefined
    ? identity
    : [a, b, c, d, e, f];
}

function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}
