import sharp from "sharp";
import { declaration, drawing, relations, relationships } from "./office.ts";
import type { EvasiveDocument } from "./evasive-document.ts";
import { insideDocx, pdfsBesideThePage, tipped } from "./evasive-beside.ts";
import { type3Pdfs } from "./type3-pdf.ts";
import { stream, writePdf } from "./write-pdf.ts";
import { writePackedZip, writeZip } from "./write-zip.ts";
import { crc32, deflateRawSync } from "node:zlib";

const office = "application/vnd.openxmlformats-officedocument";
const docxType = `${office}.wordprocessingml.document`;
const pptxType = `${office}.presentationml.presentation`;

export async function evasiveDocuments(): Promise<EvasiveDocument[]> {
  const claim = await textPicture("CURES ARTHRITIS IN DAYS");
  const terms = await textPicture("Minimum spend forty pounds applies");
  return [
    ...pdfs(claim, terms),
    ...pdfsBesideThePage(),
    ...type3Pdfs(),
    ...docxs(claim),
    ...pptxs(claim, terms),
    ...sheets(),
    ...texts(),
  ];
}

/** A JPEG of one line, 800 × 120. */
async function textPicture(words: string): Promise<Buffer> {
  const text = `<text x="20" y="75" font-size="42" font-family="sans-serif">${words}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="120"><rect width="800" height="120" fill="white"/>${text}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 85 }).toBuffer();
}

const visible = "Our summer sale starts on Monday";

function pdfs(claim: Buffer, terms: Buffer): EvasiveDocument[] {
  const words = (text: string, { x = 72, y = 700, size = 14, before = "" } = {}) =>
    `${before} BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`;
  const plain = words(visible);
  const hidden = "guaranteed weight loss";
  const pdf = (name: string, content: string, rest: Partial<EvasiveDocument>, images: Buffer[] = []) => ({
    name: `${name}.pdf`,
    contentType: "application/pdf",
    bytes: pagePdf([content], images),
    reads: { [visible]: 1 },
    ...rest,
  });
  const unseen = { hides: [hidden] };
  return [
    pdf(
      "text-and-picture",
      `${plain} q 450 0 0 67 72 500 cm /Im0 Do Q`,
      { reads: { [visible]: 1, "CURES ARTHRITIS IN DAYS": 1 } },
      [claim],
    ),
    pdf(
      "two-pictures",
      `${plain} q 450 0 0 67 72 500 cm /Im0 Do Q q 300 0 0 45 72 100 cm /Im1 Do Q`,
      { reads: { [visible]: 1, "CURES ARTHRITIS IN DAYS": 1, "Minimum spend forty pounds applies": 1 } },
      [claim, terms],
    ),
    {
      ...pdf("picture-on-second-page", "", {}),
      bytes: pagePdf([plain, `${words("Page two")} q 450 0 0 67 72 500 cm /Im0 Do Q`], [claim]),
      reads: { [visible]: 1, "CURES ARTHRITIS IN DAYS": 2 },
    },
    pdf("white-on-white", `${plain} ${words(hidden, { y: 600, before: "1 1 1 rg" })}`, unseen),
    pdf("nearly-white", `${plain} ${words(hidden, { y: 600, before: "0.985 0.985 0.985 rg" })}`, unseen),
    pdf("black-on-black", `${plain} 0 0 0 rg 60 590 400 30 re f ${words(hidden, { y: 600 })}`, unseen),
    pdf("blue-on-blue", `${plain} 0 0 1 rg 60 590 400 30 re f ${words(hidden, { y: 600 })}`, unseen),
    pdf("covered-by-a-box", `${plain} ${words(hidden, { y: 600 })} 1 1 1 rg 60 590 400 30 re f`, unseen),
    pdf("covered-by-a-picture", `${plain} ${words(hidden, { y: 520 })} q 450 0 0 67 72 500 cm /Im0 Do Q`, unseen, [
      claim,
    ]),
    pdf("invisible-mode", `${plain} ${words(hidden, { y: 600, before: "3 Tr" })}`, unseen),
    pdf("clipped-away", `${plain} q 0 0 5 5 re W n ${words(hidden, { y: 600 })} Q`, unseen),
    pdf("one-point", `${plain} ${words(hidden, { y: 600, size: 1 })}`, unseen),
    pdf("transparent", `${plain} q /Clear gs ${words(hidden, { y: 600 })} Q`, unseen),
    pdf("off-the-page", `${words(hidden, { x: -400 })} ${plain} ${words(hidden, { y: -60 })}`, unseen),
    pdf("hidden-words-in-the-same-line", `BT /F1 14 Tf 72 700 Td (${visible}) Tj 1 1 1 rg ( ${hidden}) Tj ET`, unseen),
    pdf("white-on-a-dark-band", `0 0 0.4 rg 60 690 400 30 re f ${words(visible, { before: "1 1 1 rg" })}`, {}),
    pdf("white-on-a-shading", `q 60 690 400 30 re W n /Sh sh Q ${words(visible, { before: "1 1 1 rg" })}`, {}),
    pdf("drawn-over-a-picture", `q 450 0 0 67 72 680 cm /Im0 Do Q ${words(visible, { y: 660 })}`, {}, [claim]),
    lyingPdf("lying-map", "Cures arthritis within one week", (code) => 97 + ((code + 12) % 26)),
    lyingPdf("map-to-other-words", "cures cancer", (_, at) => "happy family".charCodeAt(at)),
    lyingPdf("map-of-figures", "Only 39 pounds and 59 pence", (code) => (code === 51 ? 53 : code === 53 ? 51 : code)),
  ];
}

function pagePdf(contents: string[], images: Buffer[]): Buffer {
  const firstPage = 7;
  const firstImage = firstPage + 2 * contents.length;
  const names = images.map((_, index) => `/Im${index} ${firstImage + index} 0 R`).join(" ");
  const resources = `<< /Font << /F1 3 0 R >> /ExtGState << /Clear 4 0 R >> /Shading << /Sh 5 0 R >> /XObject << ${names} >> >>`;
  return writePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${contents.map((_, index) => `${firstPage + 2 * index} 0 R`).join(" ")}] /Count ${contents.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /Type /ExtGState /ca 0 /CA 0 >>",
    "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 600 0] /Function 6 0 R /Extend [true true] >>",
    "<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0.3] /C1 [0.3 0 0] /N 1 >>",
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources ${resources} /Contents ${firstPage + 2 * index + 1} 0 R >>`,
      stream(content),
    ]),
    ...images.map((image) =>
      stream(
        image,
        "/Type /XObject /Subtype /Image /Width 800 /Height 120 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode",
      ),
    ),
  ]);
}

/** Each letter gets a code of its own, drawn as itself and mapped to another. */
function lyingPdf(name: string, drawn: string, mapOf: (code: number, at: number) => number): EvasiveDocument {
  const codes = Array.from(drawn, (letter) => letter.charCodeAt(0));
  const glyphName = (code: number) => standardNames[String.fromCharCode(code)] ?? String.fromCharCode(code);
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
  const differences = codes.map((code, at) => `${at + 1} /${glyphName(code)}`).join(" ");
  const map = codes.map((code, at) => `<${hex(at + 1, 2)}> <${hex(code === 32 ? 32 : mapOf(code, at), 4)}>`);
  const text = codes.map((_, at) => hex(at + 1, 2)).join("");
  const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Lie def /CMapType 2 def 1 begincodespacerange <00> <ff> endcodespacerange ${map.length} beginbfchar ${map.join(" ")} endbfchar endcmap end end`;
  const bytes = writePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R /F2 7 0 R >> >> /Contents 4 0 R >>",
    stream(`BT /F1 18 Tf 72 700 Td <${text}> Tj ET BT /F2 14 Tf 72 600 Td (${visible}) Tj ET`),
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [${differences}] >> /ToUnicode 6 0 R >>`,
    stream(cmap),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ]);
  return {
    name: `${name}.pdf`,
    contentType: "application/pdf",
    bytes,
    reads: { [drawn]: 1, [visible]: 1 },
    lies: true,
  };
}

const standardNames: Readonly<Record<string, string>> = {
  " ": "space",
  "0": "zero",
  "3": "three",
  "5": "five",
  "9": "nine",
};

const w = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${relations}" ${drawing}`;
const run = (text: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (inside: string) => `<w:p>${inside}</w:p>`;
const pictureRun = '<w:r><w:drawing><a:blip r:embed="rIdPicture"/></w:drawing></w:r>';

function docxs(claim: Buffer): EvasiveDocument[] {
  const shown = paragraph(run(visible));
  const docx = (name: string, body: string, rest: Partial<EvasiveDocument>, more: DocxParts = {}): EvasiveDocument => ({
    name: `${name}.docx`,
    contentType: docxType,
    bytes: writeZip(docxParts(body, more)),
    reads: { [visible]: 1 },
    ...rest,
  });
  const chunk = (target: string) => ({ id: "rIdChunk", type: "aFChunk", target });
  const inserted = `${shown}<w:altChunk r:id="rIdChunk"/>`;
  const nested = writeZip(docxParts(paragraph(run("Nested miracle cure")), {}));
  return [
    docx(
      "picture",
      `${shown}${paragraph(pictureRun)}`,
      { reads: { [visible]: 1, "CURES ARTHRITIS IN DAYS": 1 } },
      {
        relations: [{ id: "rIdPicture", type: "image", target: "media/image1.jpeg" }],
        parts: { "word/media/image1.jpeg": claim },
      },
    ),
    docx(
      "drawing-of-windows",
      `${shown}${paragraph(pictureRun)}`,
      { omits: /picture \(EMF\) was not read/ },
      {
        relations: [{ id: "rIdPicture", type: "image", target: "media/image1.emf" }],
        parts: { "word/media/image1.emf": Buffer.from("not a picture that is drawn here") },
      },
    ),
    docx(
      "inserted-web-page",
      inserted,
      { reads: { [visible]: 1, "Miracle cure & more": 1 } },
      {
        relations: [chunk("web.html")],
        parts: {
          "word/web.html":
            "<html><head><title>x</title></head><body><p>Miracle <b>cure</b> &amp; more</p></body></html>",
        },
      },
    ),
    docx(
      "inserted-document",
      inserted,
      { reads: { [visible]: 1, "Nested miracle cure": 1 } },
      {
        relations: [chunk("inner.docx")],
        parts: { "word/inner.docx": nested },
      },
    ),
    docx(
      "inserted-rtf",
      inserted,
      { omits: /inserted part word\/old\.rtf was not read/ },
      {
        relations: [chunk("old.rtf")],
        parts: { "word/old.rtf": "{\\rtf1 Miracle cure}" },
      },
    ),
    docx(
      "footnotes-without-a-type",
      shown,
      { reads: { [visible]: 1, "Results are not typical": 1 } },
      {
        relations: [{ id: "rIdNotes", type: "footnotes", target: "notes.xml" }],
        parts: {
          "word/notes.xml": `${declaration}<w:footnotes ${w}><w:footnote w:id="2">${paragraph(run("Results are not typical"))}</w:footnote></w:footnotes>`,
        },
      },
    ),
    docx(
      "loose-part",
      shown,
      { hides: ["Secret miracle cure"] },
      {
        parts: {
          "word/extra.xml": `${declaration}<w:document ${w}><w:body>${paragraph(run("Secret miracle cure"))}</w:body></w:document>`,
        },
      },
    ),
    {
      ...docx("two-parts-of-one-name", shown, { omits: /several parts named word\/document\.xml/ }),
      bytes: repeatPart(docxParts(shown, {}), "word/document.xml", docxParts(paragraph(run("Another text")), {})),
    },
    docx(
      "words-of-a-list",
      paragraph(`<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(visible)}`),
      { reads: { [visible]: 1, "Guaranteed cure": 1 } },
      {
        relations: [{ id: "rIdLists", type: "numbering", target: "numbering.xml" }],
        parts: {
          "word/numbering.xml": `${declaration}<w:numbering ${w}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:lvlText w:val="Guaranteed cure %1:"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
        },
      },
    ),
    docx(
      "hard-page-break",
      `${shown}${paragraph('<w:r><w:br w:type="page"/></w:r>')}${paragraph(run("Miracle cure"))}`,
      {
        reads: { [visible]: 1, "Miracle cure": 2 },
      },
    ),
    docx("words-of-symbols", `${shown}${paragraph(spelt("CURES ARTHRITIS"))}`, {
      reads: { [visible]: 1, "CURES ARTHRITIS": 1 },
    }),
    docx("white-text", `${shown}${paragraph(run("keyword stuffing", '<w:color w:val="FFFFFF"/>'))}`, {
      hides: ["keyword stuffing"],
    }),
    docx(
      "black-on-black-shading",
      `${shown}${paragraph(run("secret terms", '<w:color w:val="000000"/><w:shd w:val="clear" w:fill="000000"/>'))}`,
      {
        hides: ["secret terms"],
      },
    ),
    ...insideDocx.map(({ name, body, relation, parts, reads, omits }) =>
      docx(
        name,
        `${shown}${paragraph(body)}`,
        { reads: { [visible]: 1, ...reads }, ...(omits !== undefined && { omits }) },
        { relations: relation === undefined ? [] : [{ id: "rIdInside", ...relation }], parts: parts ?? {} },
      ),
    ),
  ];
}

/** Letters by their numbers, as signs are written. */
function spelt(text: string): string {
  const code = (letter: string) => letter.charCodeAt(0).toString(16).padStart(4, "0");
  return Array.from(text, (letter) => `<w:r><w:sym w:font="Arial" w:char="${code(letter)}"/></w:r>`).join("");
}

/** Words that no cell holds. */
function sheets(): EvasiveDocument[] {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const sheet = (text: string, more = "") =>
    `${declaration}<worksheet ${main}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c>${more}</row></sheetData></worksheet>`;
  const type = `${office}.spreadsheetml`;
  return [
    {
      name: "words-of-a-format.xlsx",
      contentType: `${type}.sheet`,
      reads: { [visible]: 1, "1 This tea cures arthritis": 1 },
      omits: /A formula without a stored result was not read/,
      hides: ["Unlisted miracle cure", "White miracle cure"],
      bytes: writeZip({
        "[Content_Types].xml": `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
        "_rels/.rels": relationships([{ id: "rId1", type: "officeDocument", target: "xl/workbook.xml" }]),
        "xl/workbook.xml": `${declaration}<workbook ${main} xmlns:r="${relations}"><sheets><sheet name="Prices" sheetId="1" r:id="rId1"/></sheets></workbook>`,
        "xl/_rels/workbook.xml.rels": relationships([
          { id: "rId1", type: "worksheet", target: "worksheets/sheet1.xml" },
        ]),
        "xl/worksheets/sheet1.xml": sheet(
          visible,
          '<c r="B1" s="1"><v>1</v></c><c r="C1"><f>"Cures "&amp;"all"</f></c><c r="D1" s="2" t="inlineStr"><is><t>White miracle cure</t></is></c>',
        ),
        "xl/worksheets/sheet9.xml": sheet("Unlisted miracle cure"),
        "xl/styles.xml": `${declaration}<styleSheet ${main}><numFmts><numFmt numFmtId="170" formatCode="0 &quot;This tea cures arthritis&quot;"/></numFmts><fonts><font/><font><color rgb="FFFFFFFF"/></font></fonts><fills><fill><patternFill patternType="none"/></fill></fills><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="0" fontId="1" fillId="0"/></cellXfs></styleSheet>`,
      }),
    },
  ];
}

/** What plain text and Markdown show or hold that no word tells. */
function texts(): EvasiveDocument[] {
  const text = (name: string, contentType: string, body: string, omits: RegExp): EvasiveDocument => ({
    name,
    contentType,
    bytes: Buffer.from(body),
    omits,
  });
  return [
    text(
      "picture-elsewhere.md",
      "text/markdown",
      `${visible}\n\n![](claim.png)\n\n<img alt="" src='data:image/png;base64,AAAA'>`,
      /\(claim\.png\) was not read.*\(inside the text\) was not read/s,
    ),
    text("rich-text.txt", "text/plain", "{\\rtf1 This tea {\\b c}ures arthritis}", /The file is RTF/),
  ];
}

type DocxParts = { relations?: Parameters<typeof relationships>[0]; parts?: Record<string, string | Buffer> };

function docxParts(body: string, { relations: list = [], parts = {} }: DocxParts): Record<string, string | Buffer> {
  return {
    "[Content_Types].xml": `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${docxType}.main+xml"/></Types>`,
    "_rels/.rels": relationships([{ id: "rId1", type: "officeDocument", target: "word/document.xml" }]),
    "word/document.xml": `${declaration}<w:document ${w}><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relationships(list),
    ...parts,
  };
}

function repeatPart(
  parts: Record<string, string | Buffer>,
  name: string,
  others: Record<string, string | Buffer>,
): Buffer {
  const pack = (label: string, content: string | Buffer) => {
    const bytes = Buffer.from(content);
    return { name: label, packed: deflateRawSync(bytes), sizeBytes: bytes.length, crc: crc32(bytes) };
  };
  return writePackedZip([
    ...Object.entries(parts).map(([label, content]) => pack(label, content)),
    pack(name, others[name] ?? ""),
  ]);
}

function pptxs(claim: Buffer, terms: Buffer): EvasiveDocument[] {
  const shape = (text: string, x = 100) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="a"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="${x}" y="100"/><a:ext cx="800" cy="100"/></a:xfrm></p:spPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const colour = (rgb: string) => `<a:solidFill><a:srgbClr val="${rgb}"/></a:solidFill>`;
  const coloured = (text: string, ink: string, fill: string | null = null, y = 100) =>
    shape(text)
      .replace('y="100"', `y="${y}"`)
      .replace("</a:xfrm>", `</a:xfrm>${fill === null ? "" : colour(fill)}`)
      .replace("<a:r>", `<a:r><a:rPr>${colour(ink)}</a:rPr>`);
  const picture = `<p:pic><p:nvPicPr><p:cNvPr id="3" name="b"/></p:nvPicPr><p:blipFill><a:blip r:embed="rIdPicture"/></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="500"/><a:ext cx="1000" cy="150"/></a:xfrm></p:spPr></p:pic>`;
  const pptx = (
    name: string,
    slide: string,
    rest: Partial<EvasiveDocument>,
    image: Buffer | null = null,
    more = {},
  ) => ({
    name: `${name}.pptx`,
    contentType: pptxType,
    bytes: writeZip(pptxParts(slide, image, more)),
    reads: { [visible]: 1 },
    ...rest,
  });
  const link = '<a:r><a:rPr><a:hlinkClick tooltip="This tea cures arthritis"/></a:rPr><a:t>x</a:t></a:r>';
  return [
    pptx(
      "picture-on-a-slide",
      `${shape(visible)}${picture}`,
      { reads: { [visible]: 1, "Minimum spend forty pounds applies": 1 } },
      terms,
    ),
    pptx("slide-that-is-a-picture", picture, { reads: { "CURES ARTHRITIS IN DAYS": 1 } }, claim),
    pptx("white-on-a-slide", `${shape(visible)}${coloured("secret terms", "FFFFFF")}`, { hides: ["secret terms"] }),
    pptx("blue-on-a-blue-shape", `${shape(visible)}${coloured("secret terms", "0000FF", "0000FF")}`, {
      hides: ["secret terms"],
    }),
    pptx("white-on-a-dark-shape", coloured(visible, "FFFFFF", "002040"), {}),
    pptx("white-before-a-dark-shape", `${coloured("", "FFFFFF", "002040")}${coloured(visible, "FFFFFF")}`, {}),
    pptx(
      "white-before-a-picture",
      `${picture}${coloured(visible, "FFFFFF", null, 450)}`,
      { reads: { [visible]: 1, "CURES ARTHRITIS IN DAYS": 1 } },
      claim,
    ),
    pptx("white-on-a-dark-slide", coloured(visible, "FFFFFF"), {}, null, {
      "ppt/slides/slide1.xml": slideXml(coloured(visible, "FFFFFF")).replace(
        "<p:cSld>",
        `<p:cSld><p:bg><p:bgPr>${colour("002040")}</p:bgPr></p:bg>`,
      ),
    }),
    pptx("beside-the-slide", `${shape(visible)}${shape("secret terms", 1200)}`, { hides: ["secret terms"] }),
    pptx("film-on-a-slide", shape(visible), { omits: /A film \(media1\.mp4\) was not checked/ }, null, {
      "ppt/slides/_rels/slide1.xml.rels": relationships([
        { id: "rIdFilm", type: "video", target: "../media/media1.mp4" },
      ]),
    }),
    pptx("tip-on-a-slide", shape(visible).replace("<a:r>", `${link}<a:r>`), { omits: tipped }),
    pptx("slide-with-notes", shape(visible), { omits: /Speaker notes were read, but no rule judges them/ }, null, {
      "ppt/slides/_rels/slide1.xml.rels": relationships([
        { id: "rIdNotes", type: "notesSlide", target: "../notesSlides/notesSlide1.xml" },
      ]),
      "ppt/notesSlides/notesSlide1.xml": slideXml(
        shape("This tea cures arthritis").replace("<p:nvPr/>", '<p:nvPr><p:ph type="body"/></p:nvPr>'),
      ),
    }),
    pptx("slide-in-no-show", shape(visible), { hides: ["Unlisted miracle cure"] }, null, {
      "ppt/slides/slide9.xml": slideXml(shape("Unlisted miracle cure")),
    }),
  ];
}

function slideXml(inside: string): string {
  return `${declaration}<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${relations}" ${drawing}><p:cSld><p:spTree>${inside}</p:spTree></p:cSld></p:sld>`;
}

function pptxParts(slide: string, image: Buffer | null, more: Record<string, string>): Record<string, string | Buffer> {
  return {
    "[Content_Types].xml": `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/ppt/presentation.xml" ContentType="${pptxType}.main+xml"/></Types>`,
    "_rels/.rels": relationships([{ id: "rId1", type: "officeDocument", target: "ppt/presentation.xml" }]),
    "ppt/presentation.xml": `${declaration}<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${relations}"><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst><p:sldSz cx="1000" cy="750"/></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationships([{ id: "rId1", type: "slide", target: "slides/slide1.xml" }]),
    "ppt/slides/slide1.xml": slideXml(slide),
    "ppt/slides/_rels/slide1.xml.rels": relationships(
      image === null ? [] : [{ id: "rIdPicture", type: "image", target: "../media/image1.jpeg" }],
    ),
    ...(image === null ? {} : { "ppt/media/image1.jpeg": image }),
    ...more,
  };
}
