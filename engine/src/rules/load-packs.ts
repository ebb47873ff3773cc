import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Static, Type } from "typebox";
import { findCheckKind } from "../checks/kinds.ts";
import type { MediaKind } from "../evidence/probe/probe-shape.ts";
import { isConcept } from "../models/meaning/example-features.ts";
import { minExamples } from "../models/meaning/example-head.ts";
import { builtInMeaning } from "../models/meaning/meaning-model.ts";
import type { PublishedDecision, Rule, Sidekick } from "../sidekick.ts";
import { unknownNames } from "./context.ts";
import { checkParameters } from "./check-parameters.ts";
import { type LexiconSource, lexiconFolder, loadLexicons, nearestTo, pickLexicons } from "./load-lexicons.ts";
import { namedLexicons } from "./rule-lexicons.ts";
import { PackError } from "./pack-error.ts";
import { PackFile, RuleFile } from "./rule-file.ts";
import { type FileProblem, readYamlFile, type YamlFile } from "./yaml-file.ts";

/** The rules that come with Greenlit. */
export const builtInPacksFolder = fileURLToPath(new URL("../../../rulepacks", import.meta.url));

export type Example = NonNullable<Static<typeof RuleFile>["fails"]>[number];

/** A rule together with what only its maintainers need: its examples and where it is written. */
export type RuleSource = {
  rule: Rule;
  file: string;
  fails: readonly Example[];
  passes: readonly Example[];
  golden: { fails: string[]; passes: string[] } | null;
};

export type Pack = { sidekick: Sidekick; folder: string; sources: RuleSource[] };

/**
 * Reads every pack of these folders, or throws a PackError with all mistakes. A rule without examples is a mistake: what
 * it finds would be nobody's promise.
 */
export async function loadPacks(folders: readonly string[] = [builtInPacksFolder]): Promise<Pack[]> {
  const problems: FileProblem[] = [];
  const decisions = await readDecisions(problems);
  const lexicons = await loadLexicons([...new Set([builtInPacksFolder, ...folders])], problems);
  const packs: Pack[] = [];
  for (const folder of folders)
    for (const name of await listPacks(folder, problems)) {
      const pack = await readPack(join(folder, name), folder, { decisions, lexicons, problems });
      if (pack !== null) packs.push(pack);
    }
  findRepeats(packs, problems);
  if (problems.length > 0) throw new PackError(problems);
  return packs;
}

async function listPacks(folder: string, problems: FileProblem[]): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  const isPack = entries?.some(({ name }) => /^pack\.ya?ml$/.test(name));
  if (!entries || isPack)
    problems.push({
      file: folder,
      line: 1,
      message: isPack ? "is a pack itself: name the folder that it stands in" : "is not a folder that can be read",
    });
  return (entries ?? [])
    .filter((entry) => entry.isDirectory() && !notPacks.has(entry.name) && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .toSorted((a, b) => a.localeCompare(b));
}

/** Folders beside the packs that hold other things. */
const notPacks = new Set(["corpus", "meaning", "texts", lexiconFolder]);

type Shared = {
  decisions: ReadonlyMap<string, PublishedDecision>;
  lexicons: readonly LexiconSource[];
  problems: FileProblem[];
};

async function readPack(folder: string, root: string, shared: Shared): Promise<Pack | null> {
  const { problems } = shared;
  const nameOf = (file: string) => relative(join(root, ".."), join(folder, file));
  const files = (await readdir(folder)).filter((file) => /\.ya?ml$/.test(file)).toSorted();
  const packFile = files.find((file) => /^pack\.ya?ml$/.test(file));
  if (packFile === undefined) {
    problems.push({
      file: nameOf("pack.yaml"),
      line: 1,
      message: "is missing: it names the sidekick that this folder is",
    });
    return null;
  }
  const pack = await readYamlFile({ path: join(folder, packFile), name: nameOf(packFile), schema: PackFile, problems });
  const sources: RuleSource[] = [];
  for (const file of files.filter((name) => name !== packFile)) {
    const name = nameOf(file);
    const yaml = await readYamlFile({ path: join(folder, file), name, schema: RuleFile, problems });
    if (yaml === null) continue;
    const source = makeRule(yaml, { file: name, packJurisdictions: pack?.content.jurisdictions ?? [], ...shared });
    if (source !== null) sources.push(source);
  }
  if (pack === null) return null;
  const { version, isDefault = true, jurisdictions = [], ...rest } = pack.content;
  const rules = sources.map(({ rule }) => rule);
  return {
    folder,
    sources,
    sidekick: {
      ...rest,
      jurisdictions,
      isDefault,
      packVersion: `${version}+${hashOf(rules.map((rule) => rule.version))}`,
      mediaKinds: pack.content.mediaKinds ?? mediaKindsOf(rules),
      rules,
      lexicons: pickLexicons(shared.lexicons, rules.flatMap(namedLexicons)),
    },
  };
}

function makeRule(
  yaml: YamlFile<Static<typeof RuleFile>>,
  options: Shared & { file: string; packJurisdictions: readonly string[] },
): RuleSource | null {
  const { content, lineOf } = yaml;
  const { file, problems, decisions } = options;
  const problemsBefore = problems.length;
  const report = (path: (string | number)[], message: string) => problems.push({ file, line: lineOf(path), message });
  if (basename(file).replace(/\.ya?ml$/, "") !== content.code.toLowerCase()) {
    report(["code"], `${content.code} must be in a file named ${content.code.toLowerCase()}.yaml`);
  }
  const lexiconNames = options.lexicons.map(({ lexicon }) => lexicon.name);
  const names = { lexicons: new Set(lexiconNames), suggest: (name: string) => nearestTo(name, lexiconNames) };
  checkParameters(content.check, { names, report });
  const { fails = [], passes = [], golden = null } = content;
  const topic = topicOf(content);
  const topics = builtInMeaning().header.heads.map((head) => head.topic);
  const isByExample = content.check.kind === "meaning" && topic !== undefined && !topics.includes(topic);
  if (isByExample && (fails.length < minExamples || passes.length < minExamples)) {
    report(
      ["check"],
      `there is no topic ${topic}: a topic of your own needs ${minExamples} \`fails\` and ${minExamples} \`passes\` to learn from; built in are ${topics.join(", ")}`,
    );
  } else if (topic !== undefined && !isByExample && !topics.includes(topic)) {
    report(["topic"], `there is no topic ${topic}; there are ${topics.join(", ")}`);
  }
  const { onlyWith = [] } = content.check as { onlyWith?: string[] };
  for (const [index, word] of onlyWith.entries())
    if (!isByExample) report(["check", "onlyWith"], "is for a topic of your own; a built-in topic knows its words");
    else if (word.startsWith("@") && !isConcept(word.slice(1)))
      report(["check", "onlyWith", index], `there is no built-in lexicon ${word.slice(1)}`);
  for (const { key, index, name, known } of unknownNames(content)) {
    report([key, index], `there is no ${key.slice(0, -1)} ${name}; there are ${known.join(", ")}`);
  }
  if (golden === null && (fails.length < 3 || passes.length < 3)) {
    report(["fails"], "a rule needs three `fails` and three `passes`, or `golden` files, that show what it finds");
  }
  const precedents = (content.precedents ?? []).flatMap((id, index) => {
    const decision = decisions.get(id);
    if (decision === undefined) report(["precedents", index], `${id} is not in rulepacks/precedents.yaml`);
    return decision === undefined ? [] : [decision];
  });
  if (problems.length > problemsBefore) return null;
  const { notes: _notes, fails: _fails, passes: _passes, golden: _golden, ...judged } = content;
  const examples = { fails: fails.map(textOf), passes: passes.map(textOf), ...(onlyWith.length > 0 && { onlyWith }) };
  const learnedFrom = isByExample ? examples : builtInMeaning().header.trainedFrom;
  const rule: Rule = {
    code: content.code,
    // With other weights it could find something else.
    version: versionOf(topic === undefined ? judged : { ...judged, learnedFrom }, options.lexicons),
    summary: content.summary,
    severity: content.severity,
    why: content.why.trim(),
    fix: content.fix.trim(),
    citation: content.citation ?? null,
    jurisdictions: content.jurisdictions ?? options.packJurisdictions,
    sectors: content.sectors ?? [],
    channels: content.channels ?? [],
    audiences: content.audiences ?? [],
    destinations: content.destinations ?? [],
    from: content.from ?? null,
    whenUndeclared: content.whenUndeclared ?? "lower",
    needsHuman: content.needsHuman ?? false,
    precedents,
    ...(content.conditions && { conditions: content.conditions }),
    ...(topic === undefined ? {} : { topic }),
    check: isByExample ? { ...content.check, examples } : content.check,
  };
  return { rule, file, fails, passes, golden };
}

function textOf(example: Example): string {
  return typeof example === "string" ? example : example.text;
}

/** A rule says its topic itself, or its check does. */
function topicOf({ topic, check }: Static<typeof RuleFile>): string | undefined {
  const own = (check as Record<string, unknown>)["topic"];
  return topic ?? (typeof own === "string" ? own : undefined);
}

const Decisions = Type.Array(
  Type.Object(
    {
      id: Type.String({ minLength: 4 }),
      title: Type.String({ minLength: 2 }),
      jurisdiction: Type.String(),
      date: Type.String({ pattern: "^\\d{4}(-\\d{2}(-\\d{2})?)?$" }),
      decision: Type.String({ minLength: 2 }),
      about: Type.String(),
      url: Type.String({ pattern: "^https?://" }),
    },
    { additionalProperties: false },
  ),
);

async function readDecisions(problems: FileProblem[]): Promise<Map<string, PublishedDecision>> {
  const path = join(builtInPacksFolder, "precedents.yaml");
  const file = await readYamlFile({ path, name: "rulepacks/precedents.yaml", schema: Decisions, problems });
  return new Map((file?.content ?? []).map((decision) => [decision.id, decision]));
}

function findRepeats(packs: readonly Pack[], problems: FileProblem[]): void {
  const codes = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const { sidekick, sources, folder } of packs) {
    const other = ids.get(sidekick.sidekickId);
    if (other !== undefined) {
      problems.push({ file: join(basename(folder), "pack.yaml"), line: 1, message: `has the sidekickId of ${other}` });
    }
    ids.set(sidekick.sidekickId, basename(folder));
    for (const { rule, file } of sources) {
      const first = codes.get(rule.code);
      if (first !== undefined) problems.push({ file, line: 1, message: `${rule.code} is also the code of ${first}` });
      codes.set(rule.code, file);
    }
  }
}

/** A change of a list of words changes the rules that name it. */
function versionOf(
  judged: { check: Rule["check"]; learnedFrom?: unknown },
  lexicons: readonly LexiconSource[],
): string {
  const named = new Set(namedLexicons(judged));
  const versions = lexicons.filter(({ lexicon }) => named.has(lexicon.name)).map(({ lexicon }) => lexicon.version);
  return hashOf(versions.length === 0 ? judged : [judged, versions]);
}

function mediaKindsOf(rules: readonly Rule[]): MediaKind[] {
  const kinds = new Set(rules.flatMap(({ check }) => findCheckKind(check.kind)?.appliesTo ?? []));
  return (["video", "audio", "image", "document"] as const).filter((kind) => kinds.has(kind));
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 12);
}
