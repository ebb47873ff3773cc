import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * One file of types out of those that the compiler wrote for each module: only what the entry exports and what that
 * needs, without comments. What each field means is in the API's documentation; the comments would be half of the
 * package's weight.
 */
export function flattenTypes(folder: string): string {
  const declared = new Map<string, string>();
  const exported = new Set<string>();
  const visited = new Set<string>();

  const visit = (file: string): void => {
    if (visited.has(file)) return;
    visited.add(file);
    const text = readFileSync(join(folder, file), "utf8").replaceAll(/\/\*\*[^]*?\*\/\s*/g, "");
    const foreign = /import\("[^.][^"]*"\)/.exec(text)?.[0];
    if (foreign !== undefined)
      throw new Error(`The types of ${file} need ${foreign}, which users may not have: write the type down.`);
    for (const [, imported = ""] of text.matchAll(/"\.\/([\w-]+)\.ts"/g)) visit(`${imported}.d.ts`);
    for (const statement of statementsOf(text)) {
      const name = /^(?:export )?(?:declare )?(?:type|function|class|const) (\w+)/.exec(statement)?.[1];
      if (name === undefined) continue;
      const plain = statement.replace(/^export /, "").replaceAll(/import\("\.\/[\w-]+\.ts"\)\./g, "");
      const known = declared.get(name);
      if (known !== undefined && known !== plain)
        throw new Error(`Two modules of the SDK declare another ${name}: rename one, for its types are one file.`);
      declared.set(name, plain);
      if (file === "generated.d.ts" && statement.startsWith("export type")) exported.add(name);
    }
    if (file === "index.d.ts")
      for (const [, names = ""] of text.matchAll(/^export (?:type )?\{([^}]*)\}/gm))
        for (const [name] of names.matchAll(/\b(?!type\b)\w+/g)) exported.add(name);
  };
  visit("index.d.ts");

  const needed = new Set<string>();
  const need = (name: string): void => {
    const text = declared.get(name);
    if (text === undefined || needed.has(name)) return;
    needed.add(name);
    for (const [word] of text.matchAll(/\b[A-Z]\w*|\b\w+Methods\b/g)) need(word);
  };
  for (const name of exported) need(name);

  const lines = [...declared].flatMap(([name, text]) =>
    needed.has(name) ? [(exported.has(name) ? "export " : "") + shorten(text)] : [],
  );
  return `${lines.join("\n")}\nexport {};\n`;
}

/** The compiler begins every statement, and ends every block, at the start of a line. */
function statementsOf(text: string): string[] {
  return text.split(/\n(?=[a-z])/).map((statement) => statement.trim());
}

function shorten(statement: string): string {
  return statement
    .replaceAll(/\s*\n\s*/g, "\n")
    .replaceAll(/ ?([|:=>]) ?(?=[\w"({[])/g, "$1")
    .replaceAll(/(?<=[\w>}"\]?)]), /g, ",")
    .replaceAll(";\n", "\n");
}
