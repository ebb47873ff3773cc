import type { Region } from "../evidence.ts";
import type { OfficeParts } from "./office-parts.ts";
import { readXml, type XmlTag } from "./xml.ts";

/** `rgb`: as six digits. `name`: of the theme, as "bg1". Null: none of its own, or one that cannot be told. */
export type Colour = { rgb: string } | { name: string } | null;

/** What letters of a slide stand on, as far as the file tells without drawing it. */
export type SlideGround = {
  /** Of the slide behind all shapes; null: a picture, a gradient, or not to be told. */
  background: string | null;
  /** Names of the theme's colours, and what they are. */
  names: ReadonlyMap<string, string>;
};

/** Levels of 255 in which two colours differ at most that nobody tells apart. */
const sameLevels = 8;

/** A colour by its element; one that is made lighter or darker is not told. */
export function colourOf({ name, attributes }: XmlTag): Colour | undefined {
  if (name === "srgbClr") return { rgb: attributes["val"] ?? "" };
  if (name === "sysClr") return { rgb: attributes["lastClr"] ?? "" };
  if (name === "schemeClr") return { name: attributes["val"] ?? "" };
  return undefined;
}

export function rgbOf(colour: Colour, { names }: SlideGround): string | null {
  if (colour === null) return null;
  return "rgb" in colour ? colour.rgb : (names.get(colour.name) ?? null);
}

export function isSameColour(one: string | null, other: string | null): boolean {
  const [a, b] = [levelsOf(one), levelsOf(other)];
  return a !== null && b !== null && a.every((level, index) => Math.abs(level - (b[index] ?? 0)) <= sameLevels);
}

function levelsOf(rgb: string | null): number[] | null {
  if (rgb === null || !/^[0-9a-f]{6}$/i.test(rgb)) return null;
  return [0, 2, 4].map((at) => Number.parseInt(rgb.slice(at, at + 2), 16));
}

/** Whether something drawn at one place may lie over or under the other. What has no place may be anywhere. */
export function mayOverlap(one: Region | null, other: Region | null): boolean {
  if (one === null || other === null) return true;
  const isApart = (a: number, aSize: number, b: number, bSize: number) => a + aSize <= b || b + bSize <= a;
  return !isApart(one.x, one.width, other.x, other.width) && !isApart(one.y, one.height, other.y, other.height);
}

/** The slide, its layout and its master say what is behind it, the nearest first; without a word it is white. */
export async function readSlideGround(parts: OfficeParts, chain: readonly string[]): Promise<SlideGround> {
  const names = await readNames(parts, chain.at(-1));
  for (const part of chain) {
    const own = readBackground((await parts.read(part)) ?? null);
    if (own !== undefined) return { names, background: rgbOf(own, { names, background: null }) };
  }
  return { names, background: "FFFFFF" };
}

/** Undefined: the part says nothing of it. */
function readBackground(xml: Buffer | null): Colour | undefined {
  let found: Colour | undefined;
  let isInside = false;
  if (xml === null) return found;
  readXml(xml, {
    open(tag) {
      if (tag.name === "bg") [isInside, found] = [true, null];
      else if (isInside)
        found = colourOf(tag) ?? (["bgPr", "bgRef", "solidFill", "effectLst"].includes(tag.name) ? found : null);
    },
    close(name) {
      if (name === "bg") isInside = false;
    },
  });
  return found;
}

/** The master says which colour of the theme is called what on its slides. */
async function readNames(parts: OfficeParts, master: string | undefined): Promise<ReadonlyMap<string, string>> {
  const theme = new Map<string, string>();
  if (master === undefined) return theme;
  const relations = [...(await parts.relationsOf(master)).values()];
  const part = relations.find(({ type }) => type === "theme")?.target;
  const xml = part === undefined ? null : await parts.read(part);
  let name = "";
  let isScheme = false;
  if (xml !== null)
    readXml(xml, {
      open(tag) {
        const colour = colourOf(tag);
        if (tag.name === "clrScheme") isScheme = true;
        else if (isScheme && colour !== undefined && colour !== null && "rgb" in colour) theme.set(name, colour.rgb);
        else name = tag.name;
      },
      close(closed) {
        if (closed === "clrScheme") isScheme = false;
      },
    });
  const names = new Map(theme);
  readXml((await parts.read(master)) ?? "", {
    open({ name: tag, attributes }) {
      if (tag !== "clrMap") return;
      for (const [called, meant] of Object.entries(attributes)) {
        const rgb = theme.get(meant);
        if (rgb !== undefined) names.set(called, rgb);
      }
    },
  });
  return names;
}
