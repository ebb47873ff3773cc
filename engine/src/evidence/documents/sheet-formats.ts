import { readXml } from "./xml.ts";

/** A number format may show words of its own: `0 "pounds"`. By the style of a cell. */
export function readFormatTexts(xml: Buffer | null): Map<number, string> {
  const formats = new Map<string, string>();
  const texts = new Map<number, string>();
  let styles = 0;
  let isCellStyles = false;
  if (xml === null) return texts;
  readXml(xml, {
    open({ name, attributes }) {
      if (name === "numFmt") formats.set(attributes["numFmtId"] ?? "", wordsOf(attributes["formatCode"] ?? ""));
      else if (name === "cellXfs") isCellStyles = true;
      else if (name === "xf" && isCellStyles) {
        const words = formats.get(attributes["numFmtId"] ?? "") ?? "";
        if (words !== "") texts.set(styles, words);
        styles += 1;
      }
    },
    close(name) {
      if (name === "cellXfs") isCellStyles = false;
    },
  });
  return texts;
}

/** What stands in quotes. Signs and single letters say nothing. */
function wordsOf(code: string): string {
  const quoted = [...code.matchAll(/"([^"]*)"/g)].map(([, words = ""]) => words.trim());
  return quoted.filter((words) => /\p{L}{3}/u.test(words)).join(" ");
}
