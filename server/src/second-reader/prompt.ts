import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { PackError } from "@greenlit/engine/rules/pack-error.ts";
import { type FileProblem, readYamlFile } from "@greenlit/engine/rules/yaml-file.ts";
import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };

const PromptFile = Type.Object(
  {
    system: Type.String({ minLength: 1 }),
    case: Type.Object({ quotes: Type.Array(Type.String()), text: Type.String() }, closed),
    answers: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          answer: Type.String(),
          explanations: Type.Optional(Type.Integer()),
          looks: Type.Optional(Type.Integer()),
          refused: Type.Optional(Type.String()),
        },
        closed,
      ),
    ),
  },
  closed,
);

export type Prompt = Static<typeof PromptFile> & {
  /** Changes whenever the file does. */
  version: string;
};

const path = fileURLToPath(new URL("./prompt.yaml", import.meta.url));

export async function loadPrompt(): Promise<Prompt> {
  const problems: FileProblem[] = [];
  const file = await readYamlFile({ path, name: "second-reader/prompt.yaml", schema: PromptFile, problems });
  if (!file) throw new PackError(problems);
  const version = createHash("sha256")
    .update(await readFile(path))
    .digest("hex")
    .slice(0, 8);
  return { ...file.content, version };
}
