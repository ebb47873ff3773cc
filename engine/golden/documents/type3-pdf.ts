import type { EvasiveDocument } from "./evasive-document.ts";
import { stream, writePdf } from "./write-pdf.ts";

/** Letters of five columns and seven rows, each row in binary. */
const letters: Readonly<Record<string, readonly number[]>> = {
  C: [14, 17, 16, 16, 16, 17, 14],
  U: [17, 17, 17, 17, 17, 17, 14],
  R: [30, 17, 17, 30, 20, 18, 17],
  E: [31, 16, 16, 30, 16, 16, 31],
  S: [15, 16, 16, 14, 1, 1, 30],
  A: [14, 17, 17, 31, 17, 17, 17],
  T: [31, 4, 4, 4, 4, 4, 4],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  " ": [0, 0, 0, 0, 0, 0, 0],
};
const claim = "CURES ARTHRITIS";
const visible = "Our summer sale starts on Monday";

/** Fonts whose letters are drawings of the file's own (Type 3), by honest names, by none and by false ones. */
export function type3Pdfs(): EvasiveDocument[] {
  const alphabet = Object.keys(letters);
  const pdf = (
    name: string,
    codeOf: (letter: string, at: number) => number,
    nameOf: (letter: string, at: number) => string,
  ) => ({
    name: `${name}.pdf`,
    contentType: "application/pdf",
    bytes: type3Pdf(codeOf, nameOf),
    reads: { [visible]: 1, [claim]: 1 },
  });
  return [
    pdf(
      "drawn-font",
      (letter) => letter.charCodeAt(0),
      (letter) => (letter === " " ? "space" : letter),
    ),
    pdf(
      "drawn-font-without-names",
      (_, at) => at + 1,
      (_, at) => `g${at}`,
    ),
    {
      ...pdf(
        "drawn-font-with-false-names",
        (_, at) => at + 65,
        (_, at) => String.fromCharCode(65 + at),
      ),
      lies: true,
    },
  ];

  function type3Pdf(
    codeOf: (letter: string, at: number) => number,
    nameOf: (letter: string, at: number) => string,
  ): Buffer {
    const codes = alphabet.map(codeOf);
    const [first, last] = [Math.min(...codes), Math.max(...codes)];
    const hex = Array.from(claim, (letter) => codeOf(letter, alphabet.indexOf(letter)).toString(16).padStart(2, "0"));
    const names = alphabet.map(nameOf);
    const widths = Array.from({ length: last - first + 1 }, () => 600);
    return writePdf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 6 0 R /F3 5 0 R >> >> /Contents 4 0 R >>",
      stream(`BT /F1 14 Tf 72 700 Td (${visible}) Tj ET BT /F3 24 Tf 72 600 Td <${hex.join("")}> Tj ET`),
      `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << ${names.map((name, at) => `/${name} ${7 + at} 0 R`).join(" ")} >> /Encoding << /Type /Encoding /Differences [${names.map((name, at) => `${codes[at]} /${name}`).join(" ")}] >> /FirstChar ${first} /LastChar ${last} /Widths [${widths.join(" ")}] /Resources << >> >>`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      ...Object.values(letters).map((rows) => stream(`600 0 0 0 500 700 d1 ${squares(rows)}`)),
    ]);
  }
}

function squares(rows: readonly number[]): string {
  return rows
    .flatMap((row, y) =>
      [0, 1, 2, 3, 4].flatMap((x) => ((row >> (4 - x)) & 1 ? [`${100 * x} ${100 * (6 - y)} 100 100 re f`] : [])),
    )
    .join(" ");
}
