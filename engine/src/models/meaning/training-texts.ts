import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Type, type Static } from "typebox";
import { Value } from "typebox/value";

/** Labelled advertising copy, one file a topic, one JSON object a line. */
export const textsFolder = fileURLToPath(new URL("../../../../rulepacks/texts", import.meta.url));

const TrainingTextLine = Type.Object(
  {
    /** Left out: the file and the line. */
    id: Type.Optional(Type.String({ minLength: 1 })),
    /** `none`: clean in every topic. */
    topic: Type.String({ minLength: 3 }),
    label: Type.Union([Type.Literal("offending"), Type.Literal("honest")]),
    text: Type.String({ minLength: 1 }),
    jurisdictions: Type.Array(Type.String()),
    sector: Type.Optional(Type.String()),
    channel: Type.Optional(Type.String()),
    form: Type.Optional(Type.String()),
    /** Where it comes from: texts that were once blind say in which round. */
    origin: Type.Optional(Type.String()),
    /** A note of its writer. */
    why: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

export type TrainingText = Static<typeof TrainingTextLine> & { id: string };

export async function readTrainingTexts(folder: string = textsFolder): Promise<TrainingText[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".jsonl")).toSorted();
  const texts: TrainingText[] = [];
  for (const file of files) texts.push(...(await readTextFile(join(folder, file))));
  return texts;
}

/** The lines of one file; an error names the file and the line. */
export async function readTextFile(path: string): Promise<TrainingText[]> {
  const lines = (await readFile(path, "utf8")).split("\n");
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const where = `${basename(path)}:${index + 1}`;
    const text = parseLine(line, where);
    const [problem] = Value.Errors(TrainingTextLine, text);
    if (problem !== undefined) throw new Error(`${where}: ${problem.instancePath} ${problem.message}`);
    return [{ id: where, ...(text as Static<typeof TrainingTextLine>) }];
  });
}

function parseLine(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new Error(`${where} is not JSON`, { cause });
  }
}
