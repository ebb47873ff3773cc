import type { TextBlock } from "../evidence.ts";
import { type Cover, type DrawnText, readShapes } from "./drawing-text.ts";
import type { OfficeParts } from "./office-parts.ts";
import { type Colour, isSameColour, mayOverlap, readSlideGround, rgbOf, type SlideGround } from "./slide-colours.ts";

type Slide = {
  slide: string;
  showsMaster: boolean;
  shapes: { texts: readonly DrawnText[]; covers: readonly Cover[] };
  size: { width: number; height: number } | null;
};

/**
 * The texts of a slide as blocks; letters in the colour of what they stand on are hidden. Only where that is sure: what
 * is filled otherwise, or is a picture, and may lie under them makes them visible.
 */
export async function splitUnseen(parts: OfficeParts, options: Slide): Promise<TextBlock[]> {
  const { texts } = options.shapes;
  const hasInk = texts.some(({ pieces }) => pieces.some(({ ink }) => ink !== null));
  const behind = hasInk ? await readBehind(parts, options) : null;
  return texts.flatMap((drawn): TextBlock[] => {
    const { placeholder: _, pieces, shape: __, ...block } = drawn;
    const isUnseen = ({ ink }: { ink: Colour }) =>
      behind !== null && isInGround(drawn, rgbOf(ink, behind.ground), behind);
    if (!pieces.some(isUnseen)) return [block];
    const textOf = (wanted: boolean) =>
      pieces
        .filter((piece) => isUnseen(piece) === wanted)
        .map(({ text }) => text)
        .join("");
    return [
      { ...block, text: textOf(false) },
      { ...block, text: textOf(true), kind: "hidden", why: "in the colour of its ground" },
    ];
  });
}

type Behind = { ground: SlideGround; covers: readonly Cover[] };

async function readBehind(parts: OfficeParts, { slide, showsMaster, shapes, size }: Slide): Promise<Behind> {
  const chain = [slide];
  for (const type of ["slideLayout", "slideMaster"]) {
    const relations = [...(await parts.relationsOf(chain.at(-1) ?? slide)).values()];
    const next = relations.find((relation) => relation.type === type && !relation.isExternal);
    if (next !== undefined) chain.push(next.target);
  }
  const covers = [...shapes.covers];
  for (const part of showsMaster ? chain.slice(1) : []) {
    const xml = await parts.read(part);
    if (xml !== null) covers.push(...readShapes(xml, { size }).covers);
  }
  return { ground: await readSlideGround(parts, chain), covers };
}

function isInGround({ shape, region }: DrawnText, ink: string | null, { ground, covers }: Behind): boolean {
  if (ink === null) return false;
  const isFilled = shape?.fill !== undefined && shape.fill !== "none";
  if (isFilled) return isSameColour(ink, rgbOf(fillOf(shape.fill), ground));
  const others = covers.filter(({ shape: other }) => !isSameColour(ink, rgbOf(fillOf(other.fill), ground)));
  return isSameColour(ink, ground.background) && !others.some((other) => mayOverlap(region, other.region));
}

function fillOf(fill: Colour | "none" | undefined): Colour {
  return fill === undefined || fill === "none" ? null : fill;
}
