import type { FrameFormat, Super } from "../evidence.ts";
import { rowsBetween, scrolls, type SuperLine } from "./super-lines.ts";
import { unitedExtent } from "./text-extent.ts";

/** Lines of one paragraph come and go together, to within two or three frames. */
const togetherSeconds = 0.2;
/** From the top of one line to the top of the next, in heights of a capital: print has 1.5 to 2.2. */
const widestPitch = 3;
const likeHeight = 1.3;
const widestIndent = 2.5;
/** Of a capital: lines that are no further apart stand side by side, as the two columns of a credit roll. */
const sameRow = 0.8;

type Paragraph = { lines: SuperLine[] };

/** Joins the lines of a paragraph into one super, with a line break between them: rules count its words, or its lines. */
export function supersOf(lines: SuperLine[], format: FrameFormat): Super[] {
  const paragraphs: Paragraph[] = [];
  for (const line of inReadingOrder(lines)) {
    const paragraph = paragraphs.find(({ lines }) => lines.some((other) => belongTogether(other, line)));
    if (paragraph === undefined) paragraphs.push({ lines: [line] });
    else paragraph.lines.push(line);
  }
  return paragraphs
    .map((paragraph) => superOf(paragraph, format))
    .toSorted((a, b) => (a.startSeconds ?? 0) - (b.startSeconds ?? 0) || a.region.y - b.region.y);
}

/** From the top down, and along a row from left to right; what scrolls by where its lines are at the same time. */
function inReadingOrder(lines: SuperLine[]): SuperLine[] {
  return lines.toSorted((a, b) => {
    if (!scrolls(a) || !scrolls(b)) return a.motion.top - b.motion.top || a.extent.left - b.extent.left;
    const below = rowsBetween(a, b);
    return Math.abs(below) > sameRow * Math.min(a.height, b.height) ? -below : a.extent.left - b.extent.left;
  });
}

function belongTogether(upper: SuperLine, lower: SuperLine): boolean {
  if (upper.isMoving !== lower.isMoving) return false;
  const [small, large] = [Math.min(upper.height, lower.height), Math.max(upper.height, lower.height)];
  if (large > likeHeight * small) return false;
  return upper.isMoving ? scrollTogether(upper, lower) : standTogether(upper, lower);
}

function standTogether(upper: SuperLine, lower: SuperLine): boolean {
  const isAtOnce =
    Math.abs(upper.startSeconds - lower.startSeconds) <= togetherSeconds &&
    Math.abs(upper.endSeconds - lower.endSeconds) <= togetherSeconds;
  const pitch = Math.abs(lower.motion.top - upper.motion.top);
  const isBelow = pitch > 0.5 * upper.height && pitch <= widestPitch * upper.height;
  return isAtOnce && isBelow && areAligned(upper, lower);
}

/** The lines of a paragraph begin together, end together or have one middle; in between are those that are slanted. */
function areAligned({ extent: one, height }: SuperLine, { extent: other }: SuperLine): boolean {
  if (Math.min(one.right, other.right) <= Math.max(one.left, other.left)) return false;
  const [left, right] = [one.left - other.left, one.right - other.right];
  return Math.min(Math.abs(left), Math.abs(right), Math.abs(left + right) / 2) <= widestIndent * height;
}

/** Lines of a roll keep their distance, though one comes after the other. */
function scrollTogether(upper: SuperLine, lower: SuperLine): boolean {
  const { velocity } = upper.motion;
  const speed = Math.hypot(velocity.x, velocity.y);
  const difference = Math.hypot(velocity.x - lower.motion.velocity.x, velocity.y - lower.motion.velocity.y);
  if (Math.abs(velocity.y) <= Math.abs(velocity.x) || difference > 0.2 * speed) return false;
  return Math.abs(rowsBetween(upper, lower)) <= widestPitch * upper.height;
}

function superOf({ lines }: Paragraph, format: FrameFormat): Super {
  const contrasts = lines.flatMap(({ contrast }) => contrast ?? []);
  const extent = lines.map((line) => line.extent).reduce(unitedExtent);
  const letters = lines.reduce((sum, { text }) => sum + text.length, 0);
  const heights = lines.map(({ height }) => height).toSorted((a, b) => a - b);
  const share = (heights[Math.floor((heights.length - 1) / 2)] ?? 0) / format.height;
  return {
    text: lines.map(({ text }) => text).join("\n"),
    startSeconds: thousandths(Math.min(...lines.map(({ startSeconds }) => startSeconds))),
    endSeconds: thousandths(Math.max(...lines.map(({ endSeconds }) => endSeconds))),
    heightLines: Number((share * format.displayHeight).toFixed(1)),
    heightShare: Number(share.toFixed(5)),
    contrastRatio: contrasts.length === 0 ? null : Number(Math.min(...contrasts).toFixed(2)),
    region: {
      x: Number((Math.max(0, extent.left) / format.width).toFixed(4)),
      y: Number((Math.max(0, extent.top) / format.height).toFixed(4)),
      width: Number(((Math.min(format.width, extent.right) - Math.max(0, extent.left)) / format.width).toFixed(4)),
      height: Number(((Math.min(format.height, extent.bottom) - Math.max(0, extent.top)) / format.height).toFixed(4)),
    },
    isMoving: lines.some((line) => line.isMoving),
    confidence: Number(
      (lines.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / letters).toFixed(3),
    ),
  };
}

function thousandths(seconds: number): number {
  return Number(seconds.toFixed(3));
}
