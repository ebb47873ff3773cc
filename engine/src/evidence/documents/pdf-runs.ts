import { OPS } from "pdfjs-dist/legacy/build/pdf.mjs";
import { luminanceOfColour, ratioOf } from "./contrast.ts";
import {
  apply,
  type Box,
  boxOf,
  everywhere,
  identity,
  intersect,
  isInside,
  type Matrix,
  multiply,
  toArray,
  toMatrix,
} from "./pdf-matrix.ts";

/** Glyphs that are shown in one go, in the page's own units: from the start of their baseline to its end. */
export type PdfRun = {
  text: string;
  x: number;
  y: number;
  endX: number;
  endY: number;
  /** From the baseline to the top of a tall letter. */
  up: readonly [number, number];
  /** How large the letters are, with all that scales the text. */
  sizePoints: number;
  font: string;
  /** Letters against what was painted behind them; null: not known from the drawing commands. */
  contrastRatio: number | null;
  /** Nothing of it can be seen, as far as the drawing commands tell. */
  isInvisible: boolean;
  /** Only the drawn page can tell whether it is seen. */
  isSuspect: boolean;
  /** Wholly beside the part of the page that is shown. */
  isOutside: boolean;
  /** A letter or figure whose code in the font is not its code in the text, so that only a map says what it is. */
  isMapped: boolean;
  /** The file does not say which letters these are: only the drawn page does. */
  isUnnamed: boolean;
};

export type PdfDrawing = {
  runs: PdfRun[];
  /** Curves that are filled: letters are drawn so where their font is not sent along. */
  curves: number;
  /** Shapes that are filled: a QR code that is drawn as squares has hundreds. */
  shapes: number;
  /** Something is filled with a tile that is drawn over and over, which may hold words. */
  hasTiles: boolean;
  /** What stamps, buttons and other annotations draw, one string each. */
  annotated: string[];
};

type State = {
  matrix: Matrix;
  mode: number;
  /** Null: a pattern, or a colour that is not understood. */
  fill: string | null;
  alpha: number;
  clip: Box;
  font: string;
  fontSize: number;
  characterSpacing: number;
  wordSpacing: number;
  horizontalScale: number;
  leading: number;
  rise: number;
};

type Painted = { box: Box; fill: string | null };

const start: State = {
  matrix: identity,
  mode: 0,
  fill: "#000000",
  alpha: 1,
  clip: everywhere,
  font: "",
  fontSize: 1,
  characterSpacing: 0,
  wordSpacing: 0,
  horizontalScale: 1,
  leading: 0,
  rise: 0,
};

const paper = luminanceOfColour("#ffffff");
/** Less than this is not seen as letters; twice as near to it, the drawn page decides. */
const leastContrast = 1.1;
const clearContrast = 1.6;
/** Nobody reads what is smaller than this. */
const leastPoints = 1.5;
/** A step of a letter's width and more within one command: the next column of a table. */
const columnStep = -1500;
const leastUnnamed = 3;
/** Past this many commands a page is a drawing, and what was painted over what is not followed. */
const maxPainted = 2_000;

/** Follows the drawing commands of a page and lists its text with what is known of how it looks. */
export function readRuns(
  operators: { fnArray: readonly number[]; argsArray: readonly unknown[] },
  options: { hasImages: boolean; view: readonly number[] },
): PdfDrawing {
  const runs: PdfRun[] = [];
  const shown = boxOf(identity, options.view);
  const painted: Painted[] = [];
  const saved: State[] = [];
  let curves = 0;
  let shapes = 0;
  let hasTiles = false;
  let layers = 0;
  let isClipping = false;
  let isAnnotation = false;
  const annotated: string[] = [];
  let state: State = { ...start };
  let line: Matrix = identity;
  let text: Matrix = identity;

  const nextLine = (x: number, y: number) => {
    line = multiply(line, [1, 0, 0, 1, x, y]);
    text = line;
  };
  const show = (glyphs: unknown) => {
    if (isAnnotation) {
      annotated.push(`${annotated.pop() ?? ""} ${textOf(toArray(glyphs))}`.trim());
      return;
    }
    for (const part of splitColumns(glyphs)) {
      const width = widthOf(part, state);
      const run = runOf(part, { state, text, width, shown, painted, ...options, isLayered: layers > 0 });
      if (run !== null) runs.push(run);
      text = multiply(text, [1, 0, 0, 1, width, 0]);
    }
  };
  const paint = (box: Box) => {
    const fill = state.alpha < 1 ? null : state.fill;
    if (painted.length >= maxPainted) return;
    painted.push({ box: intersect(box, state.clip), fill });
    for (const run of runs) run.isSuspect ||= isInside(box, (run.x + run.endX) / 2, (run.y + run.endY) / 2);
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
      if (args[1] !== null && args[1] !== undefined) state.clip = intersect(state.clip, boxOf(state.matrix, args[1]));
    } else if (operator === OPS.paintFormXObjectEnd) state = saved.pop() ?? state;
    else if (operator === OPS.beginAnnotation) {
      isAnnotation = true;
      annotated.push("");
    } else if (operator === OPS.endAnnotation) isAnnotation = false;
    else if (operator === OPS.beginText) line = text = identity;
    else if (operator === OPS.setTextMatrix)
      line = text = toMatrix(toArray(args[0]).length === 6 ? toArray(args[0]) : args);
    else if (operator === OPS.moveText) nextLine(first, second);
    else if (operator === OPS.setLeadingMoveText) {
      state.leading = second;
      nextLine(first, second);
    } else if (operator === OPS.nextLine) nextLine(0, state.leading);
    else if (operator === OPS.setLeading) state.leading = -first;
    else if (operator === OPS.setFont) {
      state.font = String(args[0]);
      state.fontSize = second;
    } else if (operator === OPS.setCharSpacing) state.characterSpacing = first;
    else if (operator === OPS.setWordSpacing) state.wordSpacing = first;
    else if (operator === OPS.setHScale) state.horizontalScale = first / 100;
    else if (operator === OPS.setTextRise) state.rise = first;
    else if (operator === OPS.setTextRenderingMode) state.mode = first;
    else if (operator === OPS.setGState) state.alpha = alphaOf(args[0]) ?? state.alpha;
    else if (operator === OPS.setFillRGBColor) state.fill = typeof args[0] === "string" ? args[0] : "#000000";
    else if (operator === OPS.setFillColorN) {
      state.fill = null;
      hasTiles ||= isTile(args);
    } else if (operator === OPS.setStrokeColorN) hasTiles ||= isTile(args);
    else if (operator === OPS.beginMarkedContentProps && args[0] === "OC") layers += 1;
    else if (operator === OPS.clip || operator === OPS.eoClip) isClipping = true;
    else if (operator === OPS.showText) show(args[0]);
    else if (operator === OPS.constructPath) {
      const box = boxOf(state.matrix, args[2]);
      if (isFill(args[0])) {
        paint(box);
        const counted = countShapes(args[1]);
        curves += counted.curves;
        shapes += counted.shapes;
      }
      if (isClipping) state.clip = intersect(state.clip, box);
      isClipping = false;
    } else if (operator === OPS.shadingFill) {
      state.fill = null;
      paint(everywhere);
    }
  }
  if (painted.length >= maxPainted) for (const run of runs) run.isSuspect = true;
  return { runs, curves, shapes, hasTiles, annotated: annotated.filter((words) => words !== "") };
}

function runOf(
  glyphs: readonly unknown[],
  options: {
    state: State;
    text: Matrix;
    width: number;
    shown: Box;
    painted: readonly Painted[];
    hasImages: boolean;
    isLayered: boolean;
  },
): PdfRun | null {
  const { state, painted } = options;
  const words = textOf(glyphs);
  if (words.trim() === "") return null;
  const whole = multiply(state.matrix, options.text);
  const [x, y] = apply(whole, 0, state.rise);
  const [endX, endY] = apply(whole, options.width, state.rise);
  const [upX, upY] = apply(whole, 0, state.rise + state.fontSize);
  const up = [upX - x, upY - y] as const;
  const sizePoints = Math.hypot(...up);
  const behind = painted.findLast(({ box }) => isInside(box, x, y) && isInside(box, (x + endX) / 2, (y + endY) / 2));
  const backdrop = behind === undefined ? paper : behind.fill === null ? null : luminanceOfColour(behind.fill);
  // Modes from 4 up also clip; 1 and 5 draw outlines, whose colour is another.
  const isFilled = [0, 2, 4, 6].includes(state.mode);
  const isKnown = !options.hasImages && isFilled && state.fill !== null && backdrop !== null && state.alpha >= 1;
  const contrastRatio = isKnown ? ratioOf(luminanceOfColour(state.fill ?? ""), backdrop ?? 0) : null;
  const isInvisible =
    state.mode === 3 ||
    state.mode === 7 ||
    sizePoints < leastPoints ||
    (state.mode !== 2 && state.mode !== 6 && (contrastRatio ?? 21) < leastContrast);
  const isClipped = !isInside(state.clip, (x + endX) / 2, (y + endY) / 2 + up[1] * 0.3);
  return {
    text: words,
    x,
    y,
    endX,
    endY,
    up,
    sizePoints,
    font: state.font,
    contrastRatio,
    isInvisible,
    isSuspect:
      isInvisible || options.hasImages || options.isLayered || isClipped || (contrastRatio ?? 0) < clearContrast,
    isOutside: isApart(options.shown, { x, y, endX, endY }),
    isMapped: glyphs.some(isMapped),
    isUnnamed: isUnnamed(words),
  };
}

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

/** A path is a list of numbers: which command, then its points. 0 begins a shape; 2 and 3 are curves of three points and of two. */
function countShapes(path: unknown): { curves: number; shapes: number } {
  const [numbers] = toArray(path);
  const list = ArrayBuffer.isView(numbers) ? (numbers as Float32Array) : new Float32Array(0);
  let [curves, shapes] = [0, 0];
  for (let at = 0; at < list.length;) {
    const command = list[at];
    if (command === 0) shapes += 1;
    if (command === 2 || command === 3) curves += 1;
    at += command === 2 ? 7 : command === 3 ? 5 : command === 4 ? 1 : 3;
  }
  return { curves, shapes };
}

function isTile(args: readonly unknown[]): boolean {
  return args[0] === "TilingPattern" || toArray(args[0])[0] === "TilingPattern";
}

function alphaOf(states: unknown): number | null {
  for (const entry of toArray(states)) {
    const [name, value] = toArray(entry);
    if (name === "ca") return Number(value);
  }
  return null;
}

function splitColumns(glyphs: unknown): unknown[][] {
  const parts: unknown[][] = [[]];
  for (const glyph of toArray(glyphs)) {
    parts.at(-1)?.push(glyph);
    if (typeof glyph === "number" && glyph < columnStep) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

function widthOf(glyphs: readonly unknown[], state: State): number {
  let width = 0;
  for (const glyph of glyphs) {
    if (typeof glyph === "number") width -= (glyph / 1000) * state.fontSize;
    else if (typeof glyph === "object" && glyph !== null) {
      const { width: units, isSpace } = glyph as { width?: number; isSpace?: boolean };
      width +=
        ((units ?? 0) / 1000) * state.fontSize + state.characterSpacing + (isSpace === true ? state.wordSpacing : 0);
    }
  }
  return width * state.horizontalScale;
}

function textOf(glyphs: readonly unknown[]): string {
  return glyphs
    .map((glyph) => {
      // A step back of a fifth of the font's size is how most writers make a space.
      if (typeof glyph === "number") return glyph < -200 ? " " : "";
      const unicode = typeof glyph === "object" && glyph !== null && "unicode" in glyph ? glyph.unicode : "";
      return typeof unicode === "string" ? unicode : "";
    })
    .join("")
    .replaceAll(/ {2,}/g, " ");
}

function isMapped(glyph: unknown): boolean {
  if (typeof glyph !== "object" || glyph === null) return false;
  const { unicode, originalCharCode, operatorListId } = glyph as Record<string, unknown>;
  // Ligatures, accents and quotes have codes of their own in honest fonts too.
  if (typeof unicode !== "string" || !/^[a-z0-9]$/i.test(unicode)) return false;
  // The letters of a Type 3 font are drawings of the file's own, whatever their code.
  return operatorListId !== undefined || unicode.charCodeAt(0) !== Number(originalCharCode);
}

/** Codes that stand for no letter. A row of stars has one of them, a word several. */
function isUnnamed(words: string): boolean {
  const unnamed = words.match(/[\p{Cc}\p{Co}\p{Cn}\ufffd]/gu) ?? [];
  return new Set(unnamed).size >= leastUnnamed && unnamed.length > words.replaceAll(" ", "").length / 2;
}

/** Wholly beside it. Half a unit of slack: text that touches the edge is seen. */
function isApart(box: Box, run: Pick<PdfRun, "x" | "y" | "endX" | "endY">): boolean {
  return (
    Math.max(run.x, run.endX) < box.minX - 0.5 ||
    Math.min(run.x, run.endX) > box.maxX + 0.5 ||
    Math.max(run.y, run.endY) < box.minY - 0.5 ||
    Math.min(run.y, run.endY) > box.maxY + 0.5
  );
}
