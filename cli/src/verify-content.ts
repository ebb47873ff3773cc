import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { AnalysisError } from "@greenlit/engine/analysis-error.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import { PrintError, unpackPrint } from "@greenlit/engine/print/pack-print.ts";
import { type ContentVerification, verifyContent } from "@greenlit/engine/print/verify-file.ts";
import type { Sidekick } from "@greenlit/engine/sidekick.ts";
import type { Statement } from "@greenlit/server/certificates/statement.ts";
import { recogniseFile, Uncheckable } from "./check/recognise-file.ts";
import { CommandError } from "./command-error.ts";
import { loadRulePacks } from "./rules/load-rules.ts";

/** Compares a file with the print that a certificate names. */
export async function compareWithPrint(options: {
  file: string;
  sha256: string;
  print: string;
  statement: Statement;
}): Promise<ContentVerification> {
  const { file, sha256, statement } = options;
  const bytes = await readFile(options.print);
  const named = statement.predicate.printSha256 ?? null;
  if (createHash("sha256").update(bytes).digest("hex") !== named)
    throw new CommandError(
      named === null
        ? "The certificate names no print: it is from an earlier release, and only the file itself can be verified."
        : "This is not the print that the certificate names. Download the print of the certified asset.",
    );
  const { packs } = statement.predicate;
  // Those that judged the cleared file: others would find what nobody looked for then.
  const sidekicks = (await loadRulePacks({}))
    .map(({ sidekick }) => sidekick)
    .filter(({ sidekickId }) => packs.some((pack) => pack.sidekickId === sidekickId));
  await using models = openModels();
  try {
    const { contentType, category } = await recogniseFile(file);
    const content = await verifyContent(unpackPrint(bytes), {
      file: resolve(file),
      mediaType: { contentType, category },
      sha256,
      models,
      sidekicks,
      context: statement.predicate.context,
    });
    return withoutUnknownRules(content, { sidekicks, packs });
  } catch (error) {
    if (error instanceof AnalysisError || error instanceof PrintError || error instanceof Uncheckable)
      throw new CommandError(`${file} could not be compared: ${error.message}`);
    throw error;
  }
}

/** A rule that is not here found nothing because nobody asked it: what it found before is not gone. */
function withoutUnknownRules(
  content: ContentVerification,
  { sidekicks, packs }: { sidekicks: readonly Sidekick[]; packs: Statement["predicate"]["packs"] },
): ContentVerification {
  const codes = new Set(sidekicks.flatMap(({ rules }) => rules.map(({ code }) => code)));
  const goneFindings = content.goneFindings.filter(({ ruleCode }) => codes.has(ruleCode));
  if (goneFindings.length === content.goneFindings.length) return content;
  const missing = packs.filter(({ sidekickId }) => !sidekicks.some((pack) => pack.sidekickId === sidekickId));
  const names = missing.map(({ name }) => name).join(", ") || "newer packs";
  const note = `Findings of ${names} were not compared: these rules are not on this machine.`;
  return { ...content, goneFindings, notes: [...content.notes, note] };
}

/** What differs, for people. */
export function linesOf({ differences, notes, newFindings, goneFindings }: ContentVerification): string[] {
  return [
    ...differences.map(({ message, startSeconds, endSeconds, page, region, before, after }) => {
      const when = startSeconds === null ? "" : ` ${startSeconds} to ${endSeconds ?? startSeconds} s`;
      const where = page === null ? "" : ` page ${page}`;
      const box =
        region === null
          ? ""
          : ` at ${percent(region.x)}, ${percent(region.y)}, ${percent(region.width)} × ${percent(region.height)}`;
      const words = before === after ? "" : ` “${before}” → “${after}”`;
      return `  differs   ${message}${when}${where}${box}${words}`;
    }),
    ...notes.map((note) => `  note      ${note}`),
    ...newFindings.map(({ severity, ruleCode, summary }) => `  new       ${severity} ${ruleCode}: ${summary}`),
    ...goneFindings.map(({ severity, ruleCode, summary }) => `  gone      ${severity} ${ruleCode}: ${summary}`),
  ];
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** They are files, not lines of JSON. */
export function withoutPictures(content: ContentVerification) {
  const { match, offsetSeconds, differences, notes, newFindings, goneFindings } = content;
  return { match, offsetSeconds, differences, notes, newFindings, goneFindings };
}

export async function writePictures(folder: string, { pictures }: ContentVerification): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { difference, beforePng, afterJpeg } of pictures) {
    const name = join(folder, `difference-${difference + 1}`);
    if (beforePng !== null) await writeFile(`${name}-before.png`, Buffer.from(beforePng, "base64"));
    if (afterJpeg !== null) await writeFile(`${name}-after.jpg`, Buffer.from(afterJpeg, "base64"));
  }
}
