import { join } from "node:path";
import { Type } from "typebox";
import type { Finding } from "../finding.ts";
import type { Context } from "../sidekick.ts";
import { builtInPacksFolder, type Pack } from "./load-packs.ts";
import { PackError } from "./pack-error.ts";
import { ContextFile } from "./rule-file.ts";
import { judgeWithEach } from "./self-test.ts";
import { type FileProblem, readYamlFile } from "./yaml-file.ts";

export type CorpusText = {
  id: string;
  text: string;
  context?: Context;
  kind?: string;
  /** The rule that must find something in it. */
  expects?: string;
  aiGenerated?: boolean;
};

export type Alarm = { id: string; finding: Finding };

const CorpusFile = Type.Array(
  Type.Object(
    {
      id: Type.String(),
      text: Type.String(),
      context: Type.Optional(ContextFile),
      kind: Type.Optional(Type.String()),
      expects: Type.Optional(Type.String()),
      aiGenerated: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
);

/** Texts that were written without sight of the patterns: honest ones, and ones that offend. */
export async function readCorpus(name: "clean" | "offending"): Promise<CorpusText[]> {
  const problems: FileProblem[] = [];
  const path = join(builtInPacksFolder, "corpus", `${name}.yaml`);
  const file = await readYamlFile({ path, name: `rulepacks/corpus/${name}.yaml`, schema: CorpusFile, problems });
  if (file === null) throw new PackError(problems);
  return file.content;
}

/** Everything that all rules say about one text, in the context that it declares. */
export function judgeCorpusText(
  packs: readonly Pack[],
  { text, context = {}, aiGenerated = false }: CorpusText,
): Finding[] {
  const sidekicks = packs.map(({ sidekick }) => sidekick);
  return judgeWithEach(sidekicks, { text, context, on: "document", isAiMade: aiGenerated });
}

/** What is said above INFO about honest texts. */
export function falseAlarms(packs: readonly Pack[], texts: readonly CorpusText[]): Alarm[] {
  return texts.flatMap((text) =>
    judgeCorpusText(packs, text)
      .filter(({ severity }) => severity !== "INFO")
      .map((finding) => ({ id: text.id, finding })),
  );
}

/** The offending texts in which their rule found nothing. */
export function missed(packs: readonly Pack[], texts: readonly CorpusText[]): CorpusText[] {
  return texts.filter(
    (text) => !judgeCorpusText(packs, text).some(({ ruleCode }) => isSuccessor(ruleCode, text.expects)),
  );
}

/** XX-PII-CONTACT answers for XX-PII: a rule may be split, and keeps its name in front. */
function isSuccessor(code: string, expected: string | undefined): boolean {
  return expected !== undefined && (code === expected || code.startsWith(`${expected}-`));
}
