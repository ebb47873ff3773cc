import type { DocumentBuilder } from "./document-builder.ts";
import { isOn, readXml, type XmlTag } from "./xml.ts";

type Options = {
  document: DocumentBuilder;
  page: number;
  isHidden: boolean;
  strings: readonly string[];
  /** By the style of a cell: words that its number format shows. */
  formatTexts: ReadonlyMap<number, string>;
  /** Styles of cells whose letters are as white as the sheet. */
  whiteStyles: ReadonlySet<number>;
};

type Cell = { type: string; style: number; column: number; value: string; isFormula?: boolean };

const marginNames: Readonly<Record<string, "header" | "footer">> = {
  oddHeader: "header",
  evenHeader: "header",
  firstHeader: "header",
  oddFooter: "footer",
  evenFooter: "footer",
  firstFooter: "footer",
};

/** The cells of one worksheet, row by row. Those of hidden rows and columns are `hidden`. */
export function readSheet(xml: Buffer, options: Options): void {
  const { document, page } = options;
  const hiddenColumns: { from: number; to: number }[] = [];
  let isRowHidden = false;
  let isRowStart = true;
  let cell: Cell | null = null;
  let isValue = false;
  let margin: string | null = null;
  let isUnknown = false;
  // Conditions and tables colour cells in their own way, and pictures lie behind letters: then white may be seen.
  const mayBeColoured = ["<conditionalFormatting", "<tablePart", "<drawing", "<picture"].some((tag) =>
    xml.includes(tag),
  );

  const open = ({ name, attributes }: XmlTag) => {
    if (name === "col" && "hidden" in attributes && isOn(attributes["hidden"])) {
      hiddenColumns.push({ from: Number(attributes["min"]), to: Number(attributes["max"]) });
    } else if (name === "row") {
      isRowHidden = "hidden" in attributes && isOn(attributes["hidden"]);
      isRowStart = true;
    } else if (name === "c") {
      const style = Number(attributes["s"] ?? 0);
      cell = { type: attributes["t"] ?? "n", style, column: columnOf(attributes["r"] ?? ""), value: "" };
    } else if (name === "f" && cell !== null) cell.isFormula = true;
    else if (name === "v" || name === "t") isValue = true;
    else if (name in marginNames) margin = "";
    else if (name === "dataValidation") {
      const { promptTitle = "", prompt = "", errorTitle = "", error = "" } = attributes;
      const text = [promptTitle, prompt, errorTitle, error].filter((part) => part !== "").join("\n");
      document.addBlock(page, { text, kind: "comment", region: null });
    }
  };
  const addCell = (current: Cell) => {
    const isColumnHidden = hiddenColumns.some(({ from, to }) => current.column >= from && current.column <= to);
    const isWhite = !mayBeColoured && options.whiteStyles.has(current.style);
    const isHidden = options.isHidden || isRowHidden || isColumnHidden || isWhite;
    const text = current.type === "s" ? (options.strings[Number(current.value)] ?? "") : show(current, options);
    if (text.trim() === "") return;
    document.addBlock(
      page,
      { text, kind: isHidden ? "hidden" : "cell", region: null, ...(isWhite && { why: "white on white" }) },
      { joiner: isRowStart ? "\n" : "\t" },
    );
    if (!isHidden) isRowStart = false;
  };
  readXml(xml, {
    open,
    text: (text) => {
      if (margin !== null) margin += text;
      else if (isValue && cell !== null) cell.value += text;
    },
    close: (name) => {
      if (name === "v" || name === "t") isValue = false;
      else if (name === "c" && cell !== null) {
        if (cell.isFormula === true && cell.value === "") isUnknown = true;
        addCell(cell);
        cell = null;
      } else if (name in marginNames && margin !== null) {
        const kind = options.isHidden ? "hidden" : (marginNames[name] ?? "header");
        document.addBlock(page, { text: stripCodes(margin), kind, region: null });
        margin = null;
      }
    },
  });
  // Programs work it out when they open the file.
  if (isUnknown) document.omit({ what: "A formula without a stored result was not read.", page });
}

function show({ type, value, style }: Cell, { formatTexts }: Options): string {
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  const words = type === "n" && value !== "" ? formatTexts.get(style) : undefined;
  return words === undefined ? value : `${value} ${words}`;
}

/** "AB12" → 28. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{0,3}/.exec(reference)?.[0] ?? "") column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

/** `&L`, `&C`, `&R` part a header in three; fonts, sizes, colours and fields are codes too. `&&` is an ampersand. */
function stripCodes(text: string): string {
  return text
    .replaceAll(/&(?:&|[LCR]|"[^"]{0,100}"|K[\dA-F]{6}|\d{1,3}|[A-Z])/gi, (code) =>
      code === "&&" ? "&" : /^&[LCR]$/.test(code) ? "\n" : "",
    )
    .replaceAll(/\n+/g, "\n")
    .trim();
}
