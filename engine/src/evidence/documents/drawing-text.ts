import type { Region, TextBlock } from "../evidence.ts";
import { isOn, readXml, type XmlTag } from "./xml.ts";

type DrawnText = {
  text: string;
  kind: TextBlock["kind"];
  region: Region | null;
  /** The placeholder it fills ("title", "ftr", "body"); null: a shape of its own. */
  placeholder: string | null;
  sizePoints?: number;
  why?: string;
};

/** A picture, by the id under which the part refers to it. */
export type DrawnPicture = Pick<DrawnText, "kind" | "region"> & { id: string };

type Shape = { placeholder: string | null; isHidden: boolean; box: (number | null)[] };

const shapeNames = new Set(["sp", "cxnSp", "pic", "graphicFrame"]);
/** The same text again for readers that do not know newer shapes; and the plotted numbers of a chart. */
const skippedNames = new Set(["Fallback", "numCache"]);
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
): { texts: DrawnText[]; pictures: DrawnPicture[] } {
  const texts: DrawnText[] = [];
  const pictures: (DrawnPicture & { shape: Shape | undefined })[] = [];
  const shapes: Shape[] = [];
  let groups = 0;
  let cells = 0;
  let skipped = 0;
  let isText = false;
  let paragraph: string | null = null;
  let sizePoints: number | undefined;

  const open = ({ name, attributes }: XmlTag) => {
    const shape = shapes.at(-1);
    if (shapeNames.has(name)) shapes.push({ placeholder: null, isHidden: false, box: [null, null, null, null] });
    else if (name === "grpSp") groups += 1;
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
      paragraph = "";
      sizePoints = undefined;
    } else if (name === "rPr" && Number(attributes["sz"]) > 0) {
      sizePoints = Math.min(sizePoints ?? Infinity, Number(attributes["sz"]) / 100);
    } else if ((name === "blip" || name === "svgBlip") && skipped === 0 && attributes["embed"] !== undefined) {
      pictures.push({ id: attributes["embed"], kind: "body", region: null, shape: groups > 0 ? undefined : shape });
    }
    // A chart keeps the words of its axes and series in `v`.
    else if (name === "t" || name === "v" || name === "text") isText = true;
    else if (name === "br" && paragraph !== null) paragraph += "\n";
  };
  const add = (text: string) => {
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
    });
  };
  readXml(xml, {
    open,
    text: (text) => {
      if (!isText) return;
      if (paragraph === null) add(text);
      else paragraph += text;
    },
    close: (name) => {
      if (shapeNames.has(name)) shapes.pop();
      else if (name === "grpSp") groups -= 1;
      else if (name === "tc") cells -= 1;
      else if (skippedNames.has(name)) skipped -= 1;
      else if (name === "t" || name === "v" || name === "text") isText = false;
      else if (name === "p" && paragraph !== null) {
        add(paragraph);
        paragraph = null;
      }
    },
  });
  return { texts, pictures: pictures.map((picture) => placePicture(picture, options.size)) };
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
