import type { BesideText } from "./beside-text.ts";
import { readXml } from "./xml.ts";

/** Of any part of an Office file: descriptions of pictures, shapes and tables, and the tips of links. */
export function readBeside(xml: Buffer): BesideText[] {
  const found: BesideText[] = [];
  const add = (kind: BesideText["kind"], text: string | undefined) => {
    if (text !== undefined && text.trim() !== "") found.push({ kind, text });
  };
  // Most parts have none, and need not be walked again.
  if (!["descr=", "ooltip=", " alt=", "tblDescription", "tblCaption"].some((word) => xml.includes(word))) return found;
  readXml(xml, {
    open({ name, attributes }) {
      add("tip", attributes["tooltip"]);
      if (name === "docPr" || name === "cNvPr") {
        add("description", attributes["descr"]);
        add("description", attributes["title"]);
      } else if (name === "tblDescription" || name === "tblCaption") add("description", attributes["val"]);
      else if (name === "shape" || name === "imagedata") add("description", attributes["alt"]);
    },
  });
  return found;
}
