import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Type } from "typebox";
import type { Context } from "../sidekick.ts";
import { builtInPacksFolder } from "./load-packs.ts";
import { PackError } from "./pack-error.ts";
import { ContextFile } from "./rule-file.ts";
import { type FileProblem, readYamlFile } from "./yaml-file.ts";

export type CleanMedium = { name: string; path: string; context: Context };

const CleanMediaFile = Type.Array(
  Type.Object({ file: Type.String(), context: ContextFile }, { additionalProperties: false }),
);
const folder = fileURLToPath(new URL("../../golden/clean/files/", import.meta.url));

/** Honest films, sounds, pictures and papers, each with where it is meant for: nothing in them is above INFO. */
export async function readCleanMedia(): Promise<CleanMedium[]> {
  const problems: FileProblem[] = [];
  const path = join(builtInPacksFolder, "corpus", "clean-media.yaml");
  const name = "rulepacks/corpus/clean-media.yaml";
  const list = await readYamlFile({ path, name, schema: CleanMediaFile, problems });
  if (list === null) throw new PackError(problems);
  return list.content.map(({ file, context }) => ({ name: file, path: join(folder, file), context }));
}
