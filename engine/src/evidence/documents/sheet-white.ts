import { readXml } from "./xml.ts";

type Attributes = Readonly<Record<string, string>>;

/** The styles of cells, by their number, that show white letters on white. */
export function readWhiteStyles(xml: Buffer | null): ReadonlySet<number> {
  const white = new Set<number>();
  const fonts: boolean[] = [];
  const fills: boolean[] = [];
  let list = "";
  let styles = 0;
  if (xml === null) return white;
  readXml(xml, {
    open({ name, attributes }) {
      if (["fonts", "fills", "cellXfs", "dxfs"].includes(name)) list = name;
      else if (name === "font" && list === "fonts") fonts.push(false);
      else if (name === "color" && list === "fonts") fonts.splice(-1, 1, isWhite(attributes));
      else if (name === "patternFill" && list === "fills") fills.push((attributes["patternType"] ?? "none") === "none");
      else if (name === "gradientFill" && list === "fills") fills.push(false);
      else if (name === "fgColor" && list === "fills" && isWhite(attributes)) fills.splice(-1, 1, true);
      else if (name === "xf" && list === "cellXfs") {
        const [font, fill] = [fonts[Number(attributes["fontId"] ?? 0)], fills[Number(attributes["fillId"] ?? 0)]];
        if (font === true && fill === true) white.add(styles);
        styles += 1;
      }
    },
    close(name) {
      if (name === list) list = "";
    },
  });
  return white;
}

/** The first colour of a theme is that of the ground; 1 and 9 are white in the old list of colours. */
function isWhite({ rgb, theme, indexed, tint }: Attributes): boolean {
  if (Number(tint ?? 0) !== 0) return false;
  return /^(?:[0-9a-f]{2})?ffffff$/i.test(rgb ?? "") || theme === "0" || indexed === "1" || indexed === "9";
}
