import { contentTypes, declaration, drawing, relations, relationships } from "../documents/office.ts";
import { stream, writePdf } from "../documents/write-pdf.ts";
import { writeZip } from "../documents/write-zip.ts";

/** Everyday papers of honest advertisers, with nothing left behind in them. */
export function cleanDocuments(): Record<string, Buffer> {
  return {
    "leaflet-bikes-uk.pdf": leaflet([
      ["Spring at Tolland Bikes"],
      [
        "The Fellrunner hybrid costs \xa3399. It was \xa3640 in all our shops",
        "from 2 January to 28 February 2026. The offer ends on 31 March",
        "2026. Sizes S to L, in our four shops and at tolland.example.",
        "Questions? Write to shop@tolland.example or ring 01632 960 112.",
      ],
    ]),
    "terms-loan-uk.docx": docx([
      "Terms of the Redwing personal loan",
      "Representative example: amount of credit £5,000 over 48 months; 48 monthly payments of £124.69; total amount payable £5,985.12; rate of interest 9.1% a year, fixed. Representative 9.5% APR.",
      "You must be over 18 and live in the UK. Loans are subject to status. We are a lender, not a broker.",
      "You may withdraw within 14 days of signing, and you may repay early at any time.",
    ]),
    "deck-network-uk.pptx": pptx([
      "Larkline: the year in figures",
      "Emissions of masts and offices down 38% since 2019 (Scopes 1 and 2, audited by Brandt and Lowe, March 2026).",
    ]),
    "price-list-uk.xlsx": xlsx([
      ["Cut", "Price"],
      ["Wash and cut", "£32"],
      ["Children under ten", "£18"],
      ["All prices include VAT", ""],
    ]),
    "press-release-us.txt": Buffer.from(`For release on May 4, 2026

County library reopens on Saturday

The main library on Pine Street opens again on Saturday at ten after eight months of repairs to the roof. The children's
room has moved to the second floor. Borrowing is free for residents, as before, and so is the seed exchange.

Contact: press office, press@pinecounty.example
`),
    "page-water-uk.md": Buffer.from(`# Your water in a dry summer

We supply about **1.1 million** homes. A shower uses some 9 litres a minute, a full bath about 80.

- Fill the kettle with what you need.
- Ask us for a meter; fitting it is free, and you can go back within two years.

[How we measure](https://severnside.example/method)
`),
    "prices-farm-uk.csv": Buffer.from(
      "product,unit,price\nCarrots,1 kg,£1.20\nEggs from our hens,6,£2.15\nHoney,340 g,£6.50\n",
    ),
    "captions-walk.srt": Buffer.from(srt),
    "captions-walk.vtt": Buffer.from(
      `WEBVTT\n\n${srt.replaceAll(/^\d+\n(?=\d\d:)/gmu, "").replaceAll(/(\d\d),(\d{3})/gu, "$1.$2")}`,
    ),
  };
}

const srt = `1
00:00:01,000 --> 00:00:04,000
We walked up from the harbour
after lunch.

2
00:00:04,500 --> 00:00:07,500
An old man was sweeping
the steps.

3
00:00:08,000 --> 00:00:11,000
He told us about the storm.
`;

/** One page; every paragraph is a list of lines in Latin-1. */
function leaflet(paragraphs: readonly (readonly string[])[]): Buffer {
  const lines = paragraphs.flatMap((paragraph, index) => {
    const size = index === 0 ? 24 : 13;
    return [`/F1 ${size} Tf ${size + 5} TL T*`, ...paragraph.map((line) => `(${line}) Tj T*`)];
  });
  return writePdf([
    "<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    stream(["BT 72 760 Td", ...lines, "ET"].join("\n")),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ]);
}

function docx(paragraphs: readonly string[]): Buffer {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`).join("");
  return writeZip({
    "[Content_Types].xml": contentTypes({ "word/document.xml": "wordprocessingml.document.main" }),
    "_rels/.rels": relationships([{ id: "rId1", type: "officeDocument", target: "word/document.xml" }]),
    "word/document.xml": `${declaration}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  });
}

/** One slide: the first text is its title. */
function pptx(texts: readonly string[]): Buffer {
  const p = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ${drawing} xmlns:r="${relations}"`;
  const shapes = texts.map(
    (text, index) =>
      `<p:sp><p:nvSpPr><p:cNvPr id="${index + 2}" name="Text ${index + 1}"/><p:nvPr>${index === 0 ? '<p:ph type="title"/>' : ""}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`,
  );
  return writeZip({
    "[Content_Types].xml": contentTypes({
      "ppt/presentation.xml": "presentationml.presentation.main",
      "ppt/slides/slide1.xml": "presentationml.slide",
    }),
    "_rels/.rels": relationships([{ id: "rId1", type: "officeDocument", target: "ppt/presentation.xml" }]),
    "ppt/presentation.xml": `${declaration}<p:presentation ${p}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst><p:sldSz cx="10000" cy="5000"/></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationships([{ id: "rId1", type: "slide", target: "slides/slide1.xml" }]),
    "ppt/slides/slide1.xml": `${declaration}<p:sld ${p}><p:cSld><p:spTree>${shapes.join("")}</p:spTree></p:cSld></p:sld>`,
  });
}

function xlsx(rows: readonly (readonly string[])[]): Buffer {
  const s = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relations}"`;
  const cells = rows.map((row, index) => {
    const inside = row.map(
      (text, column) => `<c r="${"AB"[column]}${index + 1}" t="inlineStr"><is><t>${text}</t></is></c>`,
    );
    return `<row r="${index + 1}">${inside.join("")}</row>`;
  });
  return writeZip({
    "[Content_Types].xml": contentTypes({
      "xl/workbook.xml": "spreadsheetml.sheet.main",
      "xl/worksheets/sheet1.xml": "spreadsheetml.worksheet",
    }),
    "_rels/.rels": relationships([{ id: "rId1", type: "officeDocument", target: "xl/workbook.xml" }]),
    "xl/workbook.xml": `${declaration}<workbook ${s}><sheets><sheet name="Prices" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships([{ id: "rId1", type: "worksheet", target: "worksheets/sheet1.xml" }]),
    "xl/worksheets/sheet1.xml": `${declaration}<worksheet ${s}><sheetData>${cells.join("")}</sheetData></worksheet>`,
  });
}
