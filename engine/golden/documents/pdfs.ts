import sharp from "sharp";
import { stream, writeLockedPdf, writePdf } from "./write-pdf.ts";
import { xmpPacket } from "./xmp.ts";

const font = "<< /Font << /F1 5 0 R >> >>";

/** Two columns, text that nobody sees, a comment, a form field; then a page that is turned. */
export function claimsPdf(): Buffer {
  const column = (x: number, lines: string[]) =>
    `BT /F1 10 Tf 12 TL ${x} 640 Td ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`;
  const first = [
    "BT /F1 24 Tf 72 740 Td (Summer Offer) Tj ET",
    // The right column is drawn first: order on the page, not in the file, is what a reader follows.
    column(320, [
      "The right column comes second,",
      "after everything on the left,",
      "whatever the file draws first.",
      "Terms apply to every order.",
    ]),
    column(72, [
      "The left column is read first.",
      "Save 30% on every pair until",
      "31 August 2026 in our shops.",
      "Guaranteed to last a lifetime.",
    ]),
    "BT /F1 8 Tf 3 Tr 72 500 Td (invisible keyword stuffing) Tj 0 Tr ET",
    "BT /F1 8 Tf 1 1 1 rg 72 480 Td (white on white disclaimer) Tj 0 0 0 rg ET",
    "0 0 0.4 rg 60 440 300 30 re f BT /F1 12 Tf 1 1 1 rg 72 450 Td (White on a dark band) Tj 0 0 0 rg ET",
    "BT /F1 12 Tf 72 -30 Td (below the crop box) Tj ET",
  ].join("\n");
  const second = "BT /F1 18 Tf 0 1 -1 0 100 200 Tm (Turned page) Tj ET";
  return writePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [9 0 R] /DA (/F1 10 Tf) >> /Metadata 11 0 R >>",
      "<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 -100 595 842] /CropBox [0 0 595 842] /Resources ${font} /Contents 4 0 R /Annots [8 0 R 9 0 R] >>`,
      stream(first),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Rotate 90 /Resources ${font} /Contents 7 0 R >>`,
      stream(second),
      "<< /Type /Annot /Subtype /Text /Rect [500 700 520 720] /Contents (Legal has not signed this off) /T (Reviewer) >>",
      "<< /Type /Annot /Subtype /Widget /FT /Tx /T (code) /V (PROMO-2026) /Rect [72 400 200 420] /P 3 0 R /F 4 >>",
      "<< /Author (Ada Example) /Title (Summer offer) /Creator (Layout Tool 3) /Producer (Golden Kit) /CreationDate (D:20260801120000Z) >>",
      stream(
        Buffer.from(xmpPacket({ creatorTool: "Layout Tool 3", creator: "Ada Example" })),
        "/Type /Metadata /Subtype /XML",
      ),
    ],
    "/Info 10 0 R",
  );
}

/** One picture and not a letter of text. */
export async function scanPdf(): Promise<Buffer> {
  const words = '<text x="20" y="70" font-size="48" font-family="sans-serif">SCANNED 2026</text>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="120"><rect width="400" height="120" fill="white"/>${words}</svg>`;
  const jpeg = await sharp(Buffer.from(svg)).jpeg({ quality: 70 }).toBuffer();
  return writePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 144] /Resources << /XObject << /Im 5 0 R >> >> /Contents 4 0 R >>",
    stream("q 240 0 0 72 24 36 cm /Im Do Q"),
    stream(
      jpeg,
      "/Type /XObject /Subtype /Image /Width 400 /Height 120 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode",
    ),
  ]);
}

export function lockedPdf(): Buffer {
  return writeLockedPdf("open sesame");
}
