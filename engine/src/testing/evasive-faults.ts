import type { EvasiveDocument } from "../../golden/documents/evasive-document.ts";
import type { DocumentEvidence } from "../evidence/evidence.ts";

/** What a reading of an evasive document got wrong; nothing when all that people read is read or named. */
export function faultsOf(
  document: EvasiveDocument,
  { found, omissions }: { found: DocumentEvidence; omissions: readonly string[] },
): string[] {
  const hidden = found.pages.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind === "hidden");
  const reads = Object.entries(document.reads ?? {}).filter(
    ([text, page]) => !lettersOf(found.pages[page - 1]?.text ?? "").includes(lettersOf(text)),
  );
  const hides = (document.hides ?? []).filter(
    (text) =>
      !hidden.some((block) => block.text.includes(text)) || found.pages.some((page) => page.text.includes(text)),
  );
  const hasLies = (found.lies ?? []).length > 0;
  const isNamed = document.omits === undefined ? omissions.length === 0 : document.omits.test(omissions.join("\n"));
  return [
    ...reads.map(([text, page]) => `“${text}” was not read on page ${page}`),
    ...hides.map((text) => `“${text}” does not count as hidden`),
    ...(hasLies === (document.lies === true) ? [] : [`lies: ${JSON.stringify(found.lies ?? [])}`]),
    ...(isNamed ? [] : [`named as not checked: ${omissions.join(" ")}`]),
  ];
}

/** A reader may take a capital for a small letter or lose a space. */
function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
