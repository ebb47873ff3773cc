import { readXml } from "./xml.ts";

/** Letters: "%1." and "•" say nothing, "Guaranteed step %1" does. */
const leastLetters = 3;

/**
 * The words that Word writes before the paragraphs of a list. They stand in no paragraph, but in the part that describes
 * the lists; only those of lists that `using` (the document and its styles) refers to are seen.
 */
export function readListWords(numbering: Uint8Array, using: readonly (Uint8Array | null)[]): string[] {
  const used = new Set<string>();
  for (const xml of using) {
    if (xml === null) continue;
    readXml(xml, {
      open({ name, attributes }) {
        if (name === "numId") used.add(attributes["val"] ?? "");
      },
    });
  }
  const words = new Map<string, string[]>();
  const lists = new Map<string, string>();
  const found: string[] = [];
  let [abstract, list] = ["", ""];
  readXml(numbering, {
    open({ name, attributes }) {
      const value = attributes["val"] ?? "";
      if (name === "abstractNum") abstract = attributes["abstractNumId"] ?? "";
      else if (name === "num") list = attributes["numId"] ?? "";
      else if (name === "abstractNumId") lists.set(list, value);
      else if (name === "lvlText") {
        const text = value.replaceAll(/%\d/g, " ").replaceAll(/\s+/g, " ").trim();
        if ((text.match(/\p{L}/gu)?.length ?? 0) < leastLetters) return;
        // A list may say it otherwise than the kind of list that it is of.
        if (list !== "") found.push(...(used.has(list) ? [text] : []));
        else words.set(abstract, [...(words.get(abstract) ?? []), text]);
      }
    },
    close(name) {
      if (name === "num") list = "";
    },
  });
  for (const [id, kind] of lists) if (used.has(id)) found.push(...(words.get(kind) ?? []));
  return [...new Set(found)];
}
