import { declaration, drawing, relations } from "./office.ts";
import type { EvasiveDocument } from "./evasive-document.ts";
import { stream, writePdf } from "./write-pdf.ts";

const visible = "Our summer sale starts on Monday";
const claim = "This tea cures arthritis";

const described = /screen readers whose words are on no page were not judged: “This tea cures arthritis”/;

export const tipped = /under the pointer and whose words are on no page were not judged: “This tea cures arthritis”/;

/** PDFs whose claim is not part of a page's own text: drawn by an annotation, attached, or made when they are opened. */
export function pdfsBesideThePage(): EvasiveDocument[] {
  const annotation = (name: string, dictionary: string, rest: Partial<EvasiveDocument>) => ({
    ...pdf(name, { page: "/Annots [6 0 R]", objects: [dictionary, appearance] }),
    reads: { [visible]: 1, [claim]: 1 },
    ...rest,
  });
  const form = "/Rect [72 500 372 530] /F 4 /AP << /N 7 0 R >>";
  return [
    annotation("stamp", `<< /Type /Annot /Subtype /Stamp ${form} >>`, {}),
    annotation("button", `<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /T (a) ${form} >>`, {}),
    annotation(
      "field-that-shows-another-text",
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (nice) ${form} >>`,
      {
        hides: ["nice"],
      },
    ),
    {
      ...pdf("attached-file", {
        catalog: "/Names << /EmbeddedFiles << /Names [(claims.txt) 6 0 R] >> >>",
        objects: ["<< /Type /Filespec /F (claims.txt) /EF << /F 7 0 R >> >>", stream(claim, "/Type /EmbeddedFile")],
      }),
      omits: /attached to the document were not checked: claims\.txt/,
    },
    {
      ...pdf("form-made-when-opened", {
        catalog: "/AcroForm << /Fields [] /XFA 6 0 R >>",
        objects: [stream("<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'/>")],
      }),
      omits: /form \(XFA\) was not read/,
    },
    {
      ...pdf("bookmark", {
        catalog: "/Outlines 6 0 R",
        objects: [
          "<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>",
          `<< /Title (${claim}) /Parent 6 0 R /Dest [3 0 R /Fit] >>`,
        ],
      }),
      omits: /Bookmarks whose words are on no page were not judged: “This tea cures arthritis”/,
    },
    {
      ...pdf("text-for-copying", { objects: [], content: `/Span << /ActualText (${claim}) >> BDC EMC` }),
      omits: described,
    },
    {
      ...pdf("text-for-screen-readers", {
        page: "/StructParents 0",
        catalog: "/MarkInfo << /Marked true >> /StructTreeRoot 6 0 R",
        content: "/Figure << /MCID 0 >> BDC 80 80 20 20 re f EMC",
        objects: [
          "<< /Type /StructTreeRoot /K 7 0 R /ParentTree << /Nums [0 [7 0 R]] >> >>",
          `<< /Type /StructElem /S /Figure /P 6 0 R /Pg 3 0 R /K 0 /Alt (${claim}) >>`,
        ],
      }),
      omits: described,
    },
  ];
}

const appearance = stream(
  `BT /F1 14 Tf 4 8 Td (${claim}) Tj ET`,
  "/Type /XObject /Subtype /Form /BBox [0 0 300 30] /Resources << /Font << /F1 5 0 R >> >>",
);

function pdf(
  name: string,
  options: { page?: string; catalog?: string; content?: string; objects: (string | Buffer)[] },
): EvasiveDocument {
  const { page = "", catalog = "", content = "", objects } = options;
  return {
    name: `${name}.pdf`,
    contentType: "application/pdf",
    reads: { [visible]: 1 },
    bytes: writePdf([
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R ${page} >>`,
      stream(`BT /F1 14 Tf 72 700 Td (${visible}) Tj ET ${content}`),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      ...objects,
    ]),
  };
}

type Inside = Pick<EvasiveDocument, "name" | "reads" | "omits"> & {
  body: string;
  relation?: { type: string; target: string; isExternal?: boolean };
  parts?: Record<string, string>;
};

const chartSpace = `xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ${drawing}`;
const diagram = `xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" ${drawing} xmlns:r="${relations}"`;
const words = `<a:p><a:r><a:t>${claim}</a:t></a:r></a:p>`;

const wordDrawing = 'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"';

/** What a DOCX shows that is not in its paragraphs. The relation has the id `rIdInside`. */
export const insideDocx: readonly Inside[] = [
  {
    name: "chart",
    body: `<w:r><w:drawing><c:chart ${chartSpace} r:id="rIdInside"/></w:drawing></w:r>`,
    relation: { type: "chart", target: "charts/chart1.xml" },
    parts: { "word/charts/chart1.xml": `${declaration}<c:chartSpace ${chartSpace}>${words}</c:chartSpace>` },
    reads: { [claim]: 1 },
  },
  {
    name: "diagram",
    body: `<w:r><w:drawing><dgm:relIds ${diagram} r:dm="rIdInside"/></w:drawing></w:r>`,
    relation: { type: "diagramData", target: "diagrams/data1.xml" },
    parts: { "word/diagrams/data1.xml": `${declaration}<dgm:dataModel ${diagram}>${words}</dgm:dataModel>` },
    reads: { [claim]: 1 },
  },
  {
    name: "word-art",
    body: `<w:r><w:pict><v:textpath xmlns:v="urn:schemas-microsoft-com:vml" string="${claim}"/></w:pict></w:r>`,
    reads: { [claim]: 1 },
  },
  {
    name: "vector-drawing",
    body: '<w:r><w:drawing><svgBlip r:embed="rIdInside"/></w:drawing></w:r>',
    relation: { type: "image", target: "media/image1.svg" },
    parts: { "word/media/image1.svg": `<svg xmlns="http://www.w3.org/2000/svg"><text>${claim}</text></svg>` },
    reads: { [claim]: 1 },
  },
  {
    name: "embedded-sheet",
    body: "",
    relation: { type: "package", target: "embeddings/prices.xlsx" },
    parts: { "word/embeddings/prices.xlsx": claim },
    omits: /An embedded file \(prices\.xlsx\) was not checked/,
  },
  {
    name: "linked-picture",
    body: '<w:r><w:drawing><a:blip r:link="rIdInside"/></w:drawing></w:r>',
    relation: { type: "image", target: "http://example.com/claim.png", isExternal: true },
    omits: /picture that is loaded from elsewhere was not read/,
  },
  {
    name: "description-of-a-picture",
    body: `<w:r><w:drawing><wp:docPr id="1" name="Picture 1" descr="${claim}" ${wordDrawing}/></w:drawing></w:r>`,
    omits: described,
  },
  {
    name: "tip-of-a-link",
    body: `<w:hyperlink w:tooltip="${claim}"><w:r><w:t>More</w:t></w:r></w:hyperlink>`,
    omits: tipped,
  },
];
