import { readdir, readFile } from "node:fs/promises";
import { parse, parseAllDocuments, stringify } from "yaml";

type Values = Record<string, unknown>;
type Manifest = Record<string, unknown> & { apiVersion: string; kind: string; metadata: { name: string } };

/**
 * Renders the chart's templates: the part of Helm's language that they use, which is values, `if`, `else`, `not`,
 * `quote`, `toYaml` and `nindent`. Throws at anything else, and at a value that is not there.
 */
export async function renderChart(chart: URL, options: { release: string; values: Values }): Promise<Manifest[]> {
  const read = (path: string) => readFile(new URL(path, chart), "utf8");
  const values = merge(parse(await read("values.yaml")) as Values, options.values);
  const scope = {
    Values: values,
    Release: { Name: options.release },
    Chart: parse(await read("Chart.yaml")) as Values,
  };
  const manifests: Manifest[] = [];
  for (const name of (await readdir(new URL("templates/", chart))).toSorted()) {
    const text = render(await read(`templates/${name}`), scope);
    for (const document of parseAllDocuments(text)) {
      if (document.errors[0]) throw new Error(`${name}: ${document.errors[0].message}`);
      if (document.contents !== null) manifests.push(document.toJS() as Manifest);
    }
  }
  return manifests;
}

function merge(base: Values, over: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isMap(before) && isMap(value) ? merge(before, value) : value;
  }
  return merged;
}

function render(template: string, scope: Values): string {
  // A dash eats the space on its side, line breaks included.
  const tight = template.replaceAll(/\s*\{\{-/g, "{{").replaceAll(/-\}\}\s*/g, "}}");
  let out = "";
  let end = 0;
  const isShown = [true];
  for (const action of tight.matchAll(/\{\{\s*(.*?)\s*\}\}/g)) {
    if (isShown.every(Boolean)) out += tight.slice(end, action.index);
    end = action.index + action[0].length;
    const code = action[1] ?? "";
    if (code.startsWith("if ")) isShown.push(Boolean(evaluate(code.slice(3), scope)));
    else if (code === "else") isShown.push(!isShown.pop());
    else if (code === "end") isShown.pop();
    else if (isShown.every(Boolean)) out += String(evaluate(code, scope));
  }
  if (isShown.length !== 1) throw new Error("An if has no end.");
  return out + tight.slice(end);
}

function evaluate(code: string, scope: Values): unknown {
  const [first = "", ...filters] = code.split("|").map((part) => part.trim());
  return filters.reduce<unknown>((value, filter) => apply(filter, value), operand(first, scope));
}

function operand(code: string, scope: Values): unknown {
  if (code.startsWith("not ")) return !operand(code.slice(4), scope);
  if (code.startsWith("toYaml ")) return stringify(operand(code.slice(7), scope)).trimEnd();
  if (!/^\.[A-Za-z]+(?:\.[A-Za-z]+)*$/.test(code)) throw new Error(`The tests cannot render {{ ${code} }}.`);
  const value = code
    .slice(1)
    .split(".")
    .reduce<unknown>((at, name) => (at as Values | undefined)?.[name], scope);
  if (value === undefined) throw new Error(`There is no value ${code}.`);
  return value;
}

function apply(filter: string, value: unknown): string {
  if (filter === "quote") return JSON.stringify(String(value));
  const spaces = /^nindent (\d+)$/.exec(filter)?.[1];
  if (spaces === undefined) throw new Error(`The tests cannot render the filter ${filter}.`);
  const indent = " ".repeat(Number(spaces));
  return `\n${String(value).replaceAll(/^/gm, indent)}`;
}
