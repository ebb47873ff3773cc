/** A value with its line, or a list of values. */
export type SimpleYaml = { content: Record<string, unknown>; lineOf: (path: readonly (string | number)[]) => number };

const scalar = String.raw`(?:"(?:[^"\\]|\\["\\/bfnrt])*"|'(?:[^']|'')*'|[^\s"'\[\]{}>|*&!%#@\`,?:-](?:[^:#]|:(?=\S)|#(?<=\S#))*|[-?:](?=\S)(?:[^:#]|:(?=\S)|#(?<=\S#))*)`;
const keyLine = new RegExp(String.raw`^( {0,2})([A-Za-z]+):(?: +(${scalar}))? *$`);
const itemLine = new RegExp(String.raw`^( {2,4})- +(${scalar}) *$`);

/**
 * Lists of words are the simplest YAML there is, and there are hundreds of them: a reader that knows only keys, lists
 * and scalars takes a fraction of the time of one that knows all. Null: something in here needs the other.
 */
export function readSimpleYaml(text: string): SimpleYaml | null {
  const content: Record<string, unknown> = {};
  const lines = new Map<string, number>();
  let keys: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const item = itemLine.exec(line);
    const key = item === null ? keyLine.exec(line) : null;
    if (item !== null) {
      const value = scalarOf(item[2] ?? "");
      const list = keys.length === 0 || typeof value !== "string" ? null : listAt(content, keys);
      if (list === null || (item[1] ?? "").length !== keys.length * 2) return null;
      lines.set([...keys, list.length].join("/"), index + 1);
      list.push(value);
    } else if (key !== null) {
      const depth = (key[1] ?? "").length / 2;
      if (!Number.isInteger(depth) || depth > keys.length) return null;
      keys = [...keys.slice(0, depth), key[2] ?? ""];
      lines.set(keys.join("/"), index + 1);
      if (!put(content, keys, key[3] === undefined ? {} : scalarOf(key[3]))) return null;
      if (key[3] !== undefined) keys = keys.slice(0, -1);
    } else return null;
  }
  const lineOf = (path: readonly (string | number)[]) => {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const line = lines.get(path.slice(0, depth).join("/"));
      if (line !== undefined) return line;
    }
    return 1;
  };
  return { content, lineOf };
}

/** Undefined for what is not plainly a text: numbers, true, null. */
function scalarOf(written: string): string | undefined {
  const text = written.trim();
  if (text.startsWith('"')) return JSON.parse(text) as string;
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  return /^(?:[-+.\d][\d.,_eExXoO:+-]*|true|false|yes|no|null|~)$/iu.test(text) ? undefined : text;
}

function put(content: Record<string, unknown>, keys: readonly string[], value: unknown): boolean {
  const holder = keys.length === 1 ? content : content[keys[0] ?? ""];
  const name = keys.at(-1) ?? "";
  if (typeof holder !== "object" || holder === null || Array.isArray(holder) || Object.hasOwn(holder, name))
    return false;
  (holder as Record<string, unknown>)[name] = value;
  return value !== undefined;
}

/** The list under these keys; an empty place becomes one. */
function listAt(content: Record<string, unknown>, keys: readonly string[]): unknown[] | null {
  const holder = (keys.length === 1 ? content : content[keys[0] ?? ""]) as Record<string, unknown>;
  const name = keys.at(-1) ?? "";
  const value = holder[name];
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null || Object.keys(value).length > 0) return null;
  const list: unknown[] = [];
  holder[name] = list;
  return list;
}
