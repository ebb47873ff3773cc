import { Value } from "typebox/value";
import { checkKinds, findCheckKind } from "../checks/kinds.ts";
import { checkTerm, checkTerms, type PatternNames } from "../text/concepts/check-pattern.ts";
import { findTerms, unlessTerms } from "../checks/wording/concept-parameters.ts";
import { compilePattern } from "../text/pattern.ts";
import { expectPattern } from "../text/text-search.ts";
import { readsConcepts } from "./rule-lexicons.ts";
import { explain } from "./yaml-file.ts";

/** What a rule asks its check for: known, well-typed, and with patterns that are patterns. */
export function checkParameters(
  check: { kind: string } & Record<string, unknown>,
  options: { names: PatternNames; report: (path: (string | number)[], message: string) => void },
): void {
  const { names, report } = options;
  const kind = findCheckKind(check.kind);
  if (kind === undefined) {
    report(
      ["check", "kind"],
      `there is no check ${check.kind}; there are ${checkKinds.map((each) => each.kind).join(", ")}`,
    );
    return;
  }
  const { kind: _kind, ...parameters } = check;
  const schema = { ...kind.parameters, additionalProperties: false };
  for (const error of Value.Errors(schema, parameters)) {
    const { instancePath, params } = error;
    const path = instancePath
      .split("/")
      .slice(1)
      .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const { additionalProperties: unknown } = params as { additionalProperties?: string[] };
    const what =
      unknown === undefined ? explain(error) : `the check ${check.kind} has no parameter ${unknown.join(", ")}`;
    report(["check", ...path], path.length === 0 ? what : `check.${path.join(".")}: ${what}`);
  }
  if (readsConcepts(check.kind)) checkConcepts(check.kind, parameters, names, report);
  for (const [path, text] of strings(parameters, ["check"])) {
    if (!/^\/.*\/$/su.test(text)) continue;
    try {
      compilePattern(text);
      expectPattern(text);
    } catch (error) {
      report(path, (error as Error).message);
    }
  }
}

/** The terms of a rule, each with its place in the file. */
function checkConcepts(
  kind: string,
  parameters: Record<string, unknown>,
  names: PatternNames,
  report: (path: (string | number)[], message: string) => void,
): void {
  const at = (path: readonly (string | number)[], message: string) =>
    report(["check", ...path], `check.${path.join(".")}: ${message}`);
  const { find, unless, needs, labels, topic, missing } = parameters;
  if (kind === "concept" && find === undefined && topic === undefined) at(["find"], "is missing: what to look for");
  if (needs !== undefined && missing === undefined)
    at(["needs"], "needs `missing` beside it: what is missing without it");
  const isList = Array.isArray(find);
  findTerms(parameters).forEach((term, index) => checkTerm(term, isList ? ["find", index] : ["find"], names, at));
  for (const [within, terms] of typeof unless === "object" && unless !== null ? unlessTerms(parameters) : []) {
    checkTerms(terms, Array.isArray(unless) ? ["unless"] : ["unless", within], names, at);
  }
  if (needs !== undefined) checkTerms(needs, ["needs"], names, at);
  if (labels !== undefined) checkTerms(labels, ["labels"], names, at);
}

function strings(value: unknown, path: (string | number)[]): [(string | number)[], string][] {
  if (typeof value === "string") return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((item, index) => strings(item, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => strings(item, [...path, key]));
}
