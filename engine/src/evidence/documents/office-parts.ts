import { posix } from "node:path";
import { AnalysisError } from "../../analysis-error.ts";
import type { DocumentBuilder } from "./document-builder.ts";
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
export async function openOffice(file: string | Buffer): Promise<OfficeParts> {
  const zip = await openZip(file);
  const types = new Map<string, string>();
  const contentTypes = await zip.read("[Content_Types].xml");
  if (contentTypes === null) throw notOffice();
  const defaults = new Map<string, string>();
  readXml(contentTypes, {
    open({ name, attributes }) {
      const type = attributes["ContentType"] ?? "";
      if (name === "Default") defaults.set((attributes["Extension"] ?? "").toLowerCase(), type);
      if (name !== "Override") return;
      types.set((attributes["PartName"] ?? "").replace(/^\//, ""), type);
    },
  });
  const exists = new Set(zip.names);
  // A part without a type of its own has that of its extension.
  for (const part of zip.names) {
    const type = defaults.get(posix.extname(part).slice(1).toLowerCase());
    if (!types.has(part) && type !== undefined) types.set(part, type);
  }
  const ofType = (type: string) =>
    [...types].flatMap(([part, contentType]) =>
      contentType.endsWith(`.${type}+xml`) && exists.has(part) ? [part] : [],
    );
  const main = ofType("main")[0] ?? (await mainByRelation(zip));
  if (main === undefined) throw notOffice();
  return { ...zip, main, ofType, relationsOf: (part) => readRelations(zip, part) };
}

/** Programs find the main part by the relations of the package, whatever its type is said to be. */
async function mainByRelation(zip: ZipParts): Promise<string | undefined> {
  const relations = [...(await readRelations(zip, "")).values()];
  const target = relations.find(({ type }) => type === "officeDocument")?.target;
  return target !== undefined && zip.names.includes(target) ? target : undefined;
}

/** The parts of these kinds that are in the file, by their content type or by what the main part refers to. */
export async function partsOfKind(parts: OfficeParts, kind: string): Promise<string[]> {
  const relations = [...(await parts.relationsOf(parts.main)).values()];
  const referred = relations.filter(({ type, isExternal }) => type === kind && !isExternal).map(({ target }) => target);
  return [...new Set([...parts.ofType(kind), ...referred.filter((part) => parts.names.includes(part))])];
}

/** What every Office file says of its package, beside its text. */
export function omitRepeated(parts: OfficeParts, document: Pick<DocumentBuilder, "omit">): void {
  for (const name of parts.repeatedNames) {
    document.omit({ what: `The file holds several parts named ${name}; only the first was read.` });
  }
}

/** What a part carries that is no text: other files, film and sound. */
const embeddedTypes: Readonly<Record<string, string>> = {
  oleObject: "An embedded object",
  package: "An embedded file",
  subDocument: "An inserted document",
  frame: "A linked page",
  video: "A film",
  audio: "A sound",
  media: "A film or sound",
  wav: "A sound",
  control: "A control",
  slicer: "A slicer",
};

/** Names what is embedded in a part, or linked from elsewhere: nobody has looked into it. */
export async function omitEmbedded(
  parts: OfficeParts,
  part: string,
  options: { document: Pick<DocumentBuilder, "omit">; page: number },
): Promise<void> {
  const found = new Map<string, string>();
  for (const { type, target, isExternal } of (await parts.relationsOf(part)).values()) {
    const name = posix.basename(target).slice(0, 60);
    if (isExternal && type === "image") found.set(target, "A picture that is loaded from elsewhere was not read.");
    else if (Object.hasOwn(embeddedTypes, type) && !found.has(target))
      found.set(target, `${embeddedTypes[type]} (${name}) was not checked.`);
  }
  for (const what of found.values()) options.document.omit({ what, page: options.page });
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
