import { posix } from "node:path";
import { AnalysisError } from "../../analysis-error.ts";
import { readXml } from "./xml.ts";
import { openZip, type ZipParts } from "./zip.ts";

export type OfficeParts = ZipParts & {
  /** The part that everything else hangs on: `word/document.xml`, `ppt/presentation.xml`, `xl/workbook.xml`. */
  main: string;
  /** Parts by the last word of their content type: "header", "footnotes", "comments". In the file's order. */
  ofType: (type: string) => string[];
  /** What a part refers to, by id. Empty where it refers to nothing. */
  relationsOf: (part: string) => Promise<Map<string, Relation>>;
};

export type Relation = { type: string; target: string; isExternal: boolean };

/** Opens the package that DOCX, PPTX and XLSX share. */
export async function openOffice(file: string): Promise<OfficeParts> {
  const zip = await openZip(file);
  const types = new Map<string, string>();
  const contentTypes = await zip.read("[Content_Types].xml");
  if (contentTypes === null) throw notOffice();
  readXml(contentTypes, {
    open({ name, attributes }) {
      if (name !== "Override") return;
      const part = (attributes["PartName"] ?? "").replace(/^\//, "");
      types.set(part, attributes["ContentType"] ?? "");
    },
  });
  const exists = new Set(zip.names);
  const ofType = (type: string) =>
    [...types].flatMap(([part, contentType]) =>
      contentType.endsWith(`.${type}+xml`) && exists.has(part) ? [part] : [],
    );
  const [main] = ofType("main");
  if (main === undefined) throw notOffice();
  return { ...zip, main, ofType, relationsOf: (part) => readRelations(zip, part) };
}

async function readRelations(zip: ZipParts, part: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  const folder = posix.dirname(part);
  const xml = await zip.read(posix.join(folder, "_rels", `${posix.basename(part)}.rels`));
  if (xml === null) return relations;
  readXml(xml, {
    open({ name, attributes }) {
      if (name !== "Relationship") return;
      const isExternal = attributes["TargetMode"] === "External";
      const target = attributes["Target"] ?? "";
      relations.set(attributes["Id"] ?? "", {
        type: (attributes["Type"] ?? "").split("/").at(-1) ?? "",
        target: isExternal ? target : target.startsWith("/") ? target.slice(1) : posix.join(folder, target),
        isExternal,
      });
    },
  });
  return relations;
}

function notOffice(): AnalysisError {
  return new AnalysisError(
    "corrupt_media",
    "The document lacks the parts that every Office file has: it is damaged. Save it again.",
  );
}
