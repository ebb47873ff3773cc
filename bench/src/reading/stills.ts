import { writeFile } from "node:fs/promises";
import type { Super } from "@greenlit/engine/evidence/evidence.ts";
import sharp, { type Sharp } from "sharp";
import { drawSvg, once } from "./make-kit.ts";

/** A picture whose text is read, or named as not checked. `script`: what the naming must say. */
export type Still = { name: string; text: string; script?: string; make: () => Promise<string> };

const english = "Our tablets cure arthritis";
const card = { ground: "#fff", ink: "#222", turn: 0, text: english, family: "DejaVu Sans" };

export const stills: Still[] = [
  still("still-upright.png", {}),
  still("still-turned-90.png", { turn: 90 }),
  still("still-turned-180.png", { turn: 180 }),
  still("still-turned-270.png", { turn: 270 }),
  still("still-white-on-clear.png", { ground: "none", ink: "#fff" }),
  still("still-black-on-clear.png", { ground: "none", ink: "#000" }),
  still("still-white-on-clear.webp", { ground: "none", ink: "#fff" }, (picture) => picture.webp({ lossless: true })),
  still("still-cmyk.jpg", {}, (picture) => picture.flatten({ background: "#fff" }).toColourspace("cmyk").jpeg()),
  still("still-16-bit.png", {}, (picture) => picture.toColourspace("rgb16").png()),
  still("still-indexed.png", {}, (picture) => picture.png({ palette: true, colours: 8 })),
  still("still-gray.png", {}, (picture) => picture.flatten({ background: "#fff" }).toColourspace("b-w").png()),
  still("still-french.png", { text: "Café à volonté, crème brûlée offerte dès 20 h" }),
  still("still-german.png", { text: "Für größere Kinder: günstige Bücher" }),
  still("still-spanish.png", { text: "Mañana será más fácil, señor" }),
  still("still-greek.png", { text: "Θεραπεύει την αρθρίτιδα", family: "Noto Sans" }, undefined, "Greek"),
  still("still-russian.png", { text: "Лечит артрит за неделю", family: "Noto Sans" }, undefined, "Cyrillic"),
  still("still-japanese.png", { text: "関節炎を治します", family: "Noto Sans CJK JP" }, undefined, "Japanese"),
  still("still-arabic.png", { text: "يعالج التهاب المفاصل", family: "Noto Sans Arabic" }, undefined, "Arabic"),
  still("still-hebrew.png", { text: "מרפא דלקת פרקים", family: "Noto Sans Hebrew" }, undefined, "Hebrew"),
  still("still-thai.png", { text: "รักษาโรคข้ออักเสบ", family: "Noto Sans Thai" }, undefined, "Thai"),
  still("still-hindi.png", { text: "गठिया का इलाज करता है", family: "Noto Sans Devanagari" }, undefined, "Devanagari"),
  still("still-marks.png", { text: "Best® value† in 5 lbs™ packs‡" }),
];

/** Read with its accents, or named. */
export function isReadOrNamed(
  { text, script }: Still,
  { supers, omissions }: { supers: readonly Super[]; omissions: readonly string[] },
): boolean {
  // A double dagger may be read as a simple one: both are marks of a footnote.
  const letters = (words: string) =>
    words
      .toLowerCase()
      .replaceAll("‡", "†")
      .replaceAll(/[^\p{L}\p{N}£%®™†§]/gu, "");
  const exact = letters(supers.map((found) => found.text).join("")).includes(letters(text));
  if (script === undefined) return exact;
  const isNamed = omissions.some((what) => what.includes(script));
  // Gibberish beside the naming would be worse than nothing.
  return exact || (isNamed && supers.length === 0);
}

function still(
  name: string,
  look: Partial<typeof card>,
  code: (picture: Sharp) => Sharp = (picture) => picture.png(),
  script?: string,
): Still {
  const { ground, ink, turn, text, family } = { ...card, ...look };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="300"><rect width="100%" height="100%" fill="${ground}"/><text x="40" y="120" font-family="${family}" font-size="38" fill="${ink}">${text}</text><text x="40" y="200" font-family="${family}" font-size="30" fill="${ink}">${text}</text></svg>`;
  const make = () =>
    once(name, async (file) => {
      const upright = await drawSvg(svg);
      await writeFile(file, await code(sharp(upright).rotate(turn)).toBuffer());
    });
  return { name, text, make, ...(script === undefined ? {} : { script }) };
}
