import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { AnalysisError } from "@greenlit/engine/analysis-error.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import { PrintError, unpackPrint } from "@greenlit/engine/print/pack-print.ts";
import { type ContentVerification, verifyContent } from "@greenlit/engine/print/verify-file.ts";
import { loadPacks } from "@greenlit/engine/rules/load-packs.ts";
import type { Statement } from "@greenlit/server/certificates/statement.ts";
import { recogniseFile, Uncheckable } from "./check/recognise-file.ts";
import { CommandError } from "./command-error.ts";

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
  const packIds = new Set(statement.predicate.packs.map(({ sidekickId }) => sidekickId));
  await using models = openModels();
  try {
    const { contentType, category } = await recogniseFile(file);
    return await verifyContent(unpackPrint(bytes), {
      file: resolve(file),
      mediaType: { contentType, category },
      sha256,
      models,
      // Those that judged the cleared file: others would find what nobody looked for then.
      sidekicks: (await loadPacks())
        .map(({ sidekick }) => sidekick)
        .filter(({ sidekickId }) => packIds.has(sidekickId)),
      context: statement.predicate.context,
    });
  } catch (error) {
    if (error instanceof AnalysisError || error instanceof PrintError || error instanceof Uncheckable)
      throw new CommandError(`${file} could not be compared: ${error.message}`);
    throw error;
  }
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
