import { writeZip } from "./write-zip.ts";

export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const types = "application/vnd.openxmlformats-officedocument";
export const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
export const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';

export function contentTypes(parts: Record<string, string>): string {
  const overrides = Object.entries(parts).map(
    ([part, type]) => `<Override PartName="/${part}" ContentType="${types}.${type}+xml"/>`,
  );
  return `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join("")}</Types>`;
}

export function relationships(list: { id: string; type: string; target: string; isExternal?: boolean }[]): string {
  const rows = list.map(
    ({ id, type, target, isExternal }) =>
      `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"${isExternal === true ? ' TargetMode="External"' : ""}/>`,
  );
  return `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join("")}</Relationships>`;
}

function properties(main: string): Record<string, string> {
  return {
    "_rels/.rels": relationships([{ id: "rId1", type: "officeDocument", target: main }]),
    "docProps/core.xml": `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:creator>Ada Example</dc:creator><cp:lastModifiedBy>Ben Example</cp:lastModifiedBy><dcterms:created>2026-08-01T10:00:00Z</dcterms:created></cp:coreProperties>`,
    "docProps/app.xml": `${declaration}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Template>Briefing.dotx</Template><Application>Golden Office</Application><Company>Example Ltd</Company></Properties>`,
    "docProps/custom.xml": `${declaration}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="Client"><vt:lpwstr>Secret Client</vt:lpwstr></property></Properties>`,
  };
}

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const run = (text: string, inside = "") => `<w:r>${inside}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (...runs: string[]) => `<w:p>${runs.join("")}</w:p>`;

/** Two pages with every place that text can hide in. */
export function briefDocx(): Buffer {
  const textBox = (name: string) => `<w:txbxContent>${paragraph(run(`Text in a ${name}`))}</w:txbxContent>`;
  const body = [
    paragraph(
      run("Cures colds in "),
      '<w:ins w:id="1" w:author="Ben">',
      run("two"),
      "</w:ins>",
      '<w:del w:id="2" w:author="Ben"><w:r><w:delText>ten</w:delText></w:r></w:del>',
      run(" days"),
    ),
    paragraph(
      run("Footnoted claim"),
      '<w:r><w:footnoteReference w:id="2"/></w:r>',
      '<w:r><w:commentReference w:id="0"/></w:r>',
    ),
    paragraph(
      run("secret price list", "<w:rPr><w:vanish/></w:rPr>"),
      run(" public price", '<w:rPr><w:vanish w:val="0"/></w:rPr>'),
    ),
    `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps">${textBox("box")}</mc:Choice><mc:Fallback>${textBox("box")}</mc:Fallback></mc:AlternateContent></w:r></w:p>`,
    paragraph(run("Before the break"), "<w:r><w:lastRenderedPageBreak/></w:r>", run("After the break")),
    `<w:tbl><w:tr><w:tc>${paragraph(run("Vitamin C"))}</w:tc><w:tc>${paragraph(run("80 mg"))}</w:tc></w:tr></w:tbl>`,
  ].join("");
  const part = (name: string, content: string) =>
    `${declaration}<w:${name} ${w} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">${content}</w:${name}>`;
  return writeZip({
    "[Content_Types].xml": contentTypes({
      "word/document.xml": "wordprocessingml.document.main",
      "word/header1.xml": "wordprocessingml.header",
      "word/footer1.xml": "wordprocessingml.footer",
      "word/footnotes.xml": "wordprocessingml.footnotes",
      "word/endnotes.xml": "wordprocessingml.endnotes",
      "word/comments.xml": "wordprocessingml.comments",
      "word/settings.xml": "wordprocessingml.settings",
    }),
    ...properties("word/document.xml"),
    "word/document.xml": part("document", `<w:body>${body}</w:body>`),
    "word/header1.xml": part("hdr", paragraph(run("Draft for review"))),
    "word/footer1.xml": part("ftr", paragraph(run("Example Ltd 2026"))),
    "word/footnotes.xml": part(
      "footnotes",
      `<w:footnote w:id="2">${paragraph(run("Study of 12 people"))}</w:footnote>`,
    ),
    "word/endnotes.xml": part("endnotes", `<w:endnote w:id="2">${paragraph(run("Terms apply"))}</w:endnote>`),
    "word/comments.xml": part(
      "comments",
      `<w:comment w:id="0" w:author="Ben">${paragraph(run("Can we say this?"))}</w:comment>`,
    ),
    "word/settings.xml": part(
      "settings",
      '<w:attachedTemplate r:id="rId1" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/>',
    ),
    "word/_rels/settings.xml.rels": relationships([
      { id: "rId1", type: "attachedTemplate", target: "file:///C:\\Users\\ada\\Briefing.dotx", isExternal: true },
    ]),
  });
}

const p = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ${drawing} xmlns:r="${relations}"`;
const shape = (options: { text: string; placeholder?: string; box?: string; isHidden?: boolean }) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"${options.isHidden === true ? ' hidden="1"' : ""}/><p:nvPr>${options.placeholder === undefined ? "" : `<p:ph type="${options.placeholder}"/>`}</p:nvPr></p:nvSpPr><p:spPr>${options.box ?? ""}</p:spPr><p:txBody><a:p><a:r><a:t>${options.text}</a:t></a:r></a:p></p:txBody></p:sp>`;
const tree = (content: string) => `<p:cSld><p:spTree>${content}</p:spTree></p:cSld>`;

/** Two slides in another order than their files, the second hidden; notes, a comment, a table, a line on the master. */
export function deckPptx(): Buffer {
  const box = '<a:xfrm><a:off x="1000" y="500"/><a:ext cx="5000" cy="1000"/></a:xfrm>';
  const table =
    "<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Cell text</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>";
  const slide = (content: string, flags = "") => `${declaration}<p:sld ${p}${flags}>${tree(content)}</p:sld>`;
  return writeZip({
    "[Content_Types].xml": contentTypes({
      "ppt/presentation.xml": "presentationml.presentation.main",
      "ppt/slides/slide1.xml": "presentationml.slide",
      "ppt/slides/slide2.xml": "presentationml.slide",
    }),
    ...properties("ppt/presentation.xml"),
    "ppt/presentation.xml": `${declaration}<p:presentation ${p}><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst><p:sldSz cx="10000" cy="5000"/></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationships([
      { id: "rId1", type: "slide", target: "slides/slide1.xml" },
      { id: "rId2", type: "slide", target: "slides/slide2.xml" },
    ]),
    "ppt/slides/slide2.xml": slide(
      shape({ text: "Best in town", placeholder: "title", box }) +
        table +
        shape({ text: "Page 1", placeholder: "ftr" }) +
        shape({ text: "unseen shape", isHidden: true }),
    ),
    "ppt/slides/_rels/slide2.xml.rels": relationships([
      { id: "rId1", type: "notesSlide", target: "../notesSlides/notesSlide1.xml" },
      { id: "rId2", type: "comments", target: "../comments/comment1.xml" },
      { id: "rId3", type: "slideLayout", target: "../slideLayouts/slideLayout1.xml" },
    ]),
    "ppt/slides/slide1.xml": slide(shape({ text: "Backup slide" }), ' show="0"'),
    "ppt/notesSlides/notesSlide1.xml": `${declaration}<p:notes ${p}>${tree(shape({ text: "Say it is proven", placeholder: "body" }) + shape({ text: "7", placeholder: "sldNum" }))}</p:notes>`,
    "ppt/comments/comment1.xml": `${declaration}<p:cmLst ${p}><p:cm authorId="0"><p:text>Where is the source?</p:text></p:cm></p:cmLst>`,
    "ppt/slideLayouts/slideLayout1.xml": `${declaration}<p:sldLayout ${p}>${tree(shape({ text: "Click to edit", placeholder: "title" }) + shape({ text: "Drink responsibly" }))}</p:sldLayout>`,
  });
}

/** A sheet with shared, inline and numeric cells, a hidden row and column, a comment; a second sheet that is hidden. */
export function tableXlsx(): Buffer {
  const s = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relations}"`;
  const rows = [
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>internal</t></is></c></row>',
    '<row r="2"><c r="A2" t="inlineStr"><is><r><t>Red </t></r><r><t>wine</t></r></is></c><c r="B2"><v>4.5</v></c></row>',
    '<row r="3" hidden="1"><c r="A3" t="inlineStr"><is><t>hidden row</t></is></c></row>',
    '<row r="4"><c r="A4" t="b"><v>1</v></c><c r="B4" t="str"><f>A1</f><v>formula text</v></c></row>',
  ].join("");
  return writeZip({
    "[Content_Types].xml": contentTypes({
      "xl/workbook.xml": "spreadsheetml.sheet.main",
      "xl/worksheets/sheet1.xml": "spreadsheetml.worksheet",
      "xl/worksheets/sheet2.xml": "spreadsheetml.worksheet",
      "xl/sharedStrings.xml": "spreadsheetml.sharedStrings",
    }),
    ...properties("xl/workbook.xml"),
    "xl/workbook.xml": `${declaration}<workbook ${s}><sheets><sheet name="Prices" sheetId="1" r:id="rId1"/><sheet name="Margins" sheetId="2" state="veryHidden" r:id="rId2"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships([
      { id: "rId1", type: "worksheet", target: "worksheets/sheet1.xml" },
      { id: "rId2", type: "worksheet", target: "/xl/worksheets/sheet2.xml" },
    ]),
    "xl/sharedStrings.xml": `${declaration}<sst ${s}><si><t>Product</t></si><si><t>Price</t><rPh sb="0" eb="1"><t>reading aid</t></rPh></si></sst>`,
    "xl/worksheets/sheet1.xml": `${declaration}<worksheet ${s}><cols><col min="3" max="3" hidden="1"/></cols><sheetData>${rows}</sheetData><headerFooter><oddFooter>&amp;LPage &amp;P&amp;C&amp;"Arial,Bold"R&amp;&amp;D only</oddFooter></headerFooter></worksheet>`,
    "xl/worksheets/_rels/sheet1.xml.rels": relationships([
      { id: "rId1", type: "comments", target: "../comments1.xml" },
      { id: "rId2", type: "drawing", target: "../drawings/drawing1.xml" },
    ]),
    "xl/worksheets/sheet2.xml": `${declaration}<worksheet ${s}><sheetData><row r="1"><c r="A1"><v>0.62</v></c></row></sheetData></worksheet>`,
    "xl/comments1.xml": `${declaration}<comments ${s}><commentList><comment ref="B2"><text><r><t>old </t></r><r><t>price</t></r></text></comment></commentList></comments>`,
    "xl/drawings/drawing1.xml": `${declaration}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" ${drawing}><xdr:sp><xdr:txBody><a:p><a:r><a:t>Box on the sheet</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>`,
  });
}

/** What Word saves when a password is set: its old container, whose directory names the encrypted package. */
export function lockedDocx(): Buffer {
  const container = Buffer.alloc(1536);
  container.write("d0cf11e0a1b11ae1", 0, "hex");
  container.write("EncryptedPackage", 1024, "utf16le");
  return container;
}
