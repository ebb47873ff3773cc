import type { Region, TextBlock } from "../evidence.ts";
import { type Colour, colourOf } from "./slide-colours.ts";
import { isOn, readXml, type XmlTag } from "./xml.ts";

export type DrawnText = {
  text: string;
  kind: TextBlock["kind"];
  region: Region | null;
  /** The placeholder it fills ("title", "ftr", "body"); null: a shape of its own. */
  placeholder: string | null;
  sizePoints?: number;
  why?: string;
  /** The text in pieces of one colour; null: the colour is not its own, or not plain. */
  pieces: { text: string; ink: Colour }[];
  shape: Shape | undefined;
};

/** A picture, by the id under which the part refers to it. */
export type DrawnPicture = Pick<DrawnText, "kind" | "region"> & { id: string };

export type Shape = {
  placeholder: string | null;
  isHidden: boolean;
  box: (number | null)[];
  /** What it is filled with; "none" or undefined: what is behind it shows. */
  fill: Colour | "none" | undefined;
};

/** What hides the ground behind it. */
export type Cover = { region: Region | null; shape: Shape };

const shapeNames = new Set(["sp", "cxnSp", "pic", "graphicFrame"]);
/** The same text again for readers that do not know newer shapes; and the plotted numbers of a chart. */
const skippedNames = new Set(["Fallback", "numCache"]);
/** Fills of a shape that are no plain colour, and looks of letters by which they are seen on their own colour. */
const mixedFills = new Set(["gradFill", "blipFill", "pattFill", "grpFill"]);
const visibleLooks = new Set(["ln", "effectLst", "effectDag", "highlight", ...mixedFills]);
const furniture = new Set(["ftr", "hdr", "dt", "sldNum"]);

/**
 * The paragraphs of slides, notes, diagrams and drawings, which all write text in the same way. `size` is that of the
 * slide, for places; a shape in a group has none, because groups scale what is in them.
 */
export function readDrawing(xml: Buffer, options: { size: { width: number; height: number } | null }): DrawnText[] {
  return readShapes(xml, options).texts;
}

/** The same with the pictures. */
export function readShapes(
  xml: Buffer,
  options: { size: { width: number; height: number } | null },
): { texts: DrawnText[]; pictures: DrawnPicture[]; covers: Cover[] } {
  const texts: DrawnText[] = [];
  const covers: Cover[] = [];
  const path: string[] = [];
  const pictures: (DrawnPicture & { shape: Shape | undefined })[] = [];
  const shapes: Shape[] = [];
  let groups = 0;
  let cells = 0;
  let skipped = 0;
  let isText = false;
  let paragraph: DrawnText["pieces"] | null = null;
  let ink: Colour = null;
  let isPlain = true;
  let sizePoints: number | undefined;

  const paint = (tag: XmlTag, shape: Shape | undefined) => {
    const [above, around, inside] = [path.at(-3), path.at(-2), path.at(-1)];
    const isColour = inside === "solidFill";
    // A colour has something inside when it is made lighter, darker or clear.
    const isChanged = around === "solidFill";
    if (tag.name === "r" || tag.name === "fld") [ink, isPlain] = [null, true];
    else if (around === "rPr" && isColour) ink = colourOf(tag) ?? null;
    else if ((above === "rPr" && isChanged) || (inside === "rPr" && visibleLooks.has(tag.name))) isPlain = false;
    if (shape === undefined) return;
    if (around === "spPr" && isColour) shape.fill = colourOf(tag) ?? null;
    else if ((above === "spPr" && isChanged) || (inside === "spPr" && mixedFills.has(tag.name))) shape.fill = null;
    else if (inside === "spPr" && tag.name === "noFill") shape.fill = "none";
    // By its number in the theme's list of fills; 0 is none.
    else if (tag.name === "fillRef" && Number(tag.attributes["idx"] ?? 0) > 0 && shape.fill === undefined)
      shape.fill = null;
  };
  const write = (text: string) => {
    const own = isPlain ? ink : null;
    const last = paragraph?.at(-1);
    if (last !== undefined && isSameInk(last.ink, own)) last.text += text;
    else paragraph?.push({ text, ink: own });
  };
  const open = (tag: XmlTag) => {
    const { name, attributes } = tag;
    const shape = shapes.at(-1);
    paint(tag, shape);
    path.push(name);
    if (shapeNames.has(name)) {
      const fill = name === "pic" || name === "graphicFrame" ? null : undefined;
      shapes.push({ placeholder: null, isHidden: false, box: [null, null, null, null], fill });
    } else if (name === "grpSp") groups += 1;
    else if (name === "tc") cells += 1;
    else if (skippedNames.has(name)) skipped += 1;
    else if (name === "ph" && shape !== undefined) shape.placeholder = attributes["type"] ?? "body";
    else if (name === "cNvPr" && shape !== undefined)
      shape.isHidden = "hidden" in attributes && isOn(attributes["hidden"]);
    else if (name === "off" && shape !== undefined)
      [shape.box[0], shape.box[1]] = numbers(attributes["x"], attributes["y"]);
    else if (name === "ext" && shape !== undefined && "cx" in attributes) {
      [shape.box[2], shape.box[3]] = numbers(attributes["cx"], attributes["cy"]);
    } else if (name === "p") {
      paragraph = [];
      sizePoints = undefined;
    } else if (name === "rPr" && Number(attributes["sz"]) > 0) {
      sizePoints = Math.min(sizePoints ?? Infinity, Number(attributes["sz"]) / 100);
    } else if ((name === "blip" || name === "svgBlip") && skipped === 0 && attributes["embed"] !== undefined) {
      pictures.push({ id: attributes["embed"], kind: "body", region: null, shape: groups > 0 ? undefined : shape });
    }
    // A chart keeps the words of its axes and series in `v`.
    else if (name === "t" || name === "v" || name === "text") isText = true;
    else if (name === "br") write("\n");
  };
  const add = (pieces: DrawnText["pieces"]) => {
    const text = pieces.map((piece) => piece.text).join("");
    if (skipped > 0 || text.trim() === "") return;
    const shape = shapes.at(-1);
    const placeholder = shape?.placeholder ?? null;
    const visible = furniture.has(placeholder ?? "") ? "footer" : cells > 0 ? "cell" : "body";
    const region = groups > 0 || options.size === null ? null : regionOf(shape?.box ?? [], options.size);
    const isOff = region !== null && isOffPage(region);
    texts.push({
      text,
      kind: shape?.isHidden === true || isOff ? "hidden" : visible,
      region,
      placeholder,
      ...(isOff && { why: "off the page" }),
      ...(sizePoints !== undefined && { sizePoints }),
      pieces,
      shape,
    });
  };
  readXml(xml, {
    open,
    text: (text) => {
      if (!isText) return;
      if (paragraph === null) add([{ text, ink: null }]);
      else write(text);
    },
    close: (name) => {
      path.pop();
      if (shapeNames.has(name)) {
        const shape = shapes.pop();
        const region =
          shape === undefined || groups > 0 || options.size === null ? null : regionOf(shape.box, options.size);
        if (shape !== undefined && shape.fill !== undefined && shape.fill !== "none") covers.push({ region, shape });
      } else if (name === "grpSp") groups -= 1;
      else if (name === "tc") cells -= 1;
      else if (skippedNames.has(name)) skipped -= 1;
      else if (name === "t" || name === "v" || name === "text") isText = false;
      else if (name === "p" && paragraph !== null) {
        add(paragraph);
        paragraph = null;
      }
    },
  });
  return { texts, pictures: pictures.map((picture) => placePicture(picture, options.size)), covers };
}

function isSameInk(one: Colour, other: Colour): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The box of a picture's shape follows the picture in the file: it is known at the end. */
function placePicture(
  { id, shape }: { id: string; shape: Shape | undefined },
  size: { width: number; height: number } | null,
): DrawnPicture {
  const region = shape === undefined || size === null ? null : regionOf(shape.box, size);
  const isHidden = shape?.isHidden === true || (region !== null && isOffPage(region));
  return { id, kind: isHidden ? "hidden" : "body", region };
}

function isOffPage({ x, y, width, height }: Region): boolean {
  return x >= 1 || y >= 1 || x + width <= 0 || y + height <= 0;
}

function numbers(...values: (string | undefined)[]): [number | null, number | null] {
  const [a, b] = values.map(Number);
  return [Number.isFinite(a) ? (a ?? null) : null, Number.isFinite(b) ? (b ?? null) : null];
}

function regionOf(box: (number | null)[], size: { width: number; height: number }): Region | null {
  const [x, y, width, height] = box;
  if (x === null || y === null || width === null || height === null) return null;
  if (x === undefined || y === undefined || width === undefined || height === undefined) return null;
  const share = (value: number, whole: number) => Number((value / whole).toFixed(4));
  return {
    x: share(x, size.width),
    y: share(y, size.height),
    width: share(width, size.width),
    height: share(height, size.height),
  };
}
