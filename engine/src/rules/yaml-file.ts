import { readFile } from "node:fs/promises";
import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";
import { isNode, LineCounter, parseDocument } from "yaml";

/** A mistake in a file that people write, with the line where it is. */
export type FileProblem = { file: string; line: number; message: string };

export type YamlFile<Content> = {
  content: Content;
  /** Where a value stands, for problems that only show later. */
  lineOf: (path: readonly (string | number)[]) => number;
};

/** Reads and checks one YAML file; problems are collected, so that a person sees all of them at once. */
export async function readYamlFile<Schema extends TSchema>(options: {
  path: string;
  /** As it is shown in problems. */
  name: string;
  schema: Schema;
  problems: FileProblem[];
}): Promise<YamlFile<Static<Schema>> | null> {
  const { path, name, schema, problems } = options;
  const lines = new LineCounter();
  const document = parseDocument(await readFile(path, "utf8"), { lineCounter: lines });
  // The first mistake makes the parser complain about everything after it.
  const mistake = document.errors[0];
  if (mistake !== undefined) {
    const message = mistake.message.split("\n", 1)[0] ?? mistake.message;
    problems.push({ file: name, line: lines.linePos(mistake.pos[0]).line, message });
    return null;
  }
  const lineOf = (path: readonly (string | number)[]): number => {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const content: unknown = document.toJS();
  const found = Value.Errors(schema, content);
  for (const error of found) {
    const path = error.instancePath
      .split("/")
      .slice(1)
      .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const where = path.length === 0 ? "" : `${path.join(".")}: `;
    problems.push({ file: name, line: lineOf(path), message: `${where}${explain(error)}` });
  }
  return found.length > 0 ? null : { content: content as Static<Schema>, lineOf };
}

/** What is wrong with a value, in words for its author. */
export function explain(error: { keyword: string; message: string; params: object }): string {
  const params = error.params as {
    additionalProperties?: string[];
    requiredProperties?: string[];
    allowedValues?: unknown[];
  };
  if (params.additionalProperties !== undefined)
    return `there is no such key: ${params.additionalProperties.join(", ")}`;
  if (params.requiredProperties !== undefined) return `the key ${params.requiredProperties.join(", ")} is missing`;
  if (params.allowedValues !== undefined) return `must be one of ${params.allowedValues.join(", ")}`;
  return error.message;
}
