import { readXml } from "./xml.ts";

/** What styles say of the text that has them. */
export type Sizes = {
  /** How large it is, in points; null where the file does not say. */
  of: (style: string | null) => number | null;
  /** Whether it stands on a ground of its own. */
  isShaded: (style: string | null) => boolean;
};

const maxDepth = 20;

/** The styles of a DOCX, as far as they say how large text is and what it stands on. */
export function readSizes(xml: Buffer | null): Sizes {
  const own = new Map<string, number>();
  const shaded = new Set<string>();
  const parents = new Map<string, string>();
  let usual: number | null = null;
  let normal: string | null = null;
  let style: string | null = null;
  let isDefaults = false;
  if (xml !== null) {
    readXml(xml, {
      open({ name, attributes }) {
        if (name === "docDefaults") isDefaults = true;
        else if (name === "style") {
          style = attributes["styleId"] ?? "";
          if (attributes["type"] === "paragraph" && attributes["default"] === "1") normal = style;
        } else if (name === "basedOn" && style !== null) parents.set(style, attributes["val"] ?? "");
        else if (name === "shd" && style !== null) shaded.add(style);
        else if (name === "sz") {
          const points = Number(attributes["val"]) / 2;
          if (!(points > 0)) return;
          if (isDefaults) usual = points;
          else if (style !== null) own.set(style, points);
        }
      },
      close(name) {
        if (name === "docDefaults") isDefaults = false;
        else if (name === "style") style = null;
      },
    });
  }
  /** The style and those it is based on. */
  const chainOf = (name: string | null): string[] => {
    const chain: string[] = [];
    for (let at = name ?? normal; typeof at === "string" && chain.length < maxDepth; at = parents.get(at) ?? null) {
      chain.push(at);
    }
    return chain;
  };
  return {
    of: (name) => chainOf(name).flatMap((style) => own.get(style) ?? [])[0] ?? usual,
    isShaded: (name) => chainOf(name).some((style) => shaded.has(style)),
  };
}
