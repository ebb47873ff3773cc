import { access } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { exampleHead, type Examples, type Separation } from "@greenlit/engine/models/meaning/example-head.ts";
import { loadLexicons, testLexicon } from "@greenlit/engine/rules/load-lexicons.ts";
import { builtInPacksFolder, loadPacks, type Pack } from "@greenlit/engine/rules/load-packs.ts";
import { PackError } from "@greenlit/engine/rules/pack-error.ts";
import { testPeace, testRule } from "@greenlit/engine/rules/self-test.ts";
import { CommandError } from "../command-error.ts";
import { print } from "../print.ts";

/** Exit code 1 when a pack has a mistake or a rule does not keep its promises. */
export async function testRules(
  folder: string | undefined,
  options: { pack?: string; rule?: string; json?: boolean },
): Promise<void> {
  const { rules, problems, learned, hints } = await tryPacks(await wanted(folder, options));
  if (problems.length > 0) process.exitCode = 1;
  print(options, { rules, problems, learned, hints }, [
    ...learned.flatMap(describeLearned),
    ...hints.map((hint) => `${hint} Add it to the passes of the rule that finds it.`),
    ...problems.map(({ file, line, message }) => `${file}${line === null ? "" : `:${line}`}: ${message}`),
    problems.length === 0
      ? `${rules === 1 ? "One rule keeps all its promises" : `${rules} rules keep all their promises`}.`
      : `${problems.length === 1 ? "One mistake" : `${problems.length} mistakes`}.`,
  ]);
}

/** How well the examples of a rule by example are told apart, each judged without having been learned from. */
type Learned = { code: string } & Separation;

function describeLearned({ code, found, fails, quiet, passes, mistaken, elsewhere }: Learned): string[] {
  return [
    `${code} tells its examples apart: finds ${found} of ${fails}, leaves ${quiet} of ${passes} alone (each judged by what it learned from the others).`,
    `  Of a thousand sentences about other things it finds ${Math.round(elsewhere * 1000)}.${elsewhere > tooManyElsewhere ? " Too many: add passes like the copy that you have, or name the words of which one must occur (onlyWith)." : ""}`,
    ...mistaken.map((text) => `  mistaken about “${text.length > 100 ? `${text.slice(0, 99)}…` : text}”`),
    ...(mistaken.length > (fails + passes) * tooManyMistaken
      ? [
          `  It does not hold yet. Add ten more of each that differ from these ("greenlit rules suggest ${code} --texts FILE" finds the telling ones), or name the words of which one must occur (onlyWith, beside the topic); if single words are the fault, a rule of kind phrase is surer.`,
        ]
      : []),
  ];
}

/** Judged by the others alone, examples that differ much come out worse than copy that is like several of them. */
const tooManyMistaken = 0.4;
const tooManyElsewhere = 0.03;

function learnedOf(packs: readonly Pack[]): Learned[] {
  return packs.flatMap(({ sidekick }) =>
    sidekick.rules.flatMap(({ code, check }) =>
      check["examples"] === undefined ? [] : [{ code, ...exampleHead(check["examples"] as Examples).separation }],
    ),
  );
}

/** Which packs to load, and which of their rules to try: all, those of one pack, or one. */
type Wanted = { folder: string | undefined; pack: string | null; rule: string | null };

async function wanted(folder: string | undefined, options: { pack?: string; rule?: string }): Promise<Wanted> {
  const rule = options.rule?.toUpperCase() ?? null;
  if (folder === undefined || !(await isPack(folder))) return { folder, pack: options.pack ?? null, rule };
  return { folder: dirname(resolve(folder)), pack: basename(resolve(folder)), rule };
}

async function isPack(folder: string): Promise<boolean> {
  const found = ["pack.yaml", "pack.yml"].map((name) =>
    access(join(folder, name)).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(found)).includes(true);
}

type Problem = { file: string; line: number | null; message: string };

/** `hints`: what a rule by example finds in the passes of another rule. */
type Tried = { rules: number; problems: Problem[]; learned: Learned[]; hints: string[] };

async function tryPacks({ folder, pack, rule }: Wanted): Promise<Tried> {
  try {
    const loaded = await loadPacks(folder === undefined ? undefined : [folder]);
    const packs = loaded.filter((each) => pack === null || basename(each.folder) === pack);
    const isTried = ({ code }: { code: string }) => rule === null || code === rule;
    const tried = packs.flatMap(({ sources }) => sources).filter((source) => isTried(source.rule));
    if (tried.length === 0)
      return { rules: 0, learned: [], hints: [], problems: [nothingTried({ folder, pack, rule })] };
    const broken = packs.flatMap((each) => [
      ...each.sources.filter((source) => isTried(source.rule)).flatMap((source) => testRule(each, source)),
      ...testPeace(each).filter(isTried),
    ]);
    return {
      rules: tried.length,
      learned: learnedOf(packs).filter(isTried),
      hints: packs
        .flatMap((each) => testPeace(each, { byExample: true }))
        .filter(isTried)
        .map(({ code, message }) => `${code}: ${message}.`),
      problems: [
        ...(pack === null && rule === null ? await testLexicons(folder) : []),
        ...broken.map(({ file, code, message }) => ({ file, line: null, message: `${code} ${message}` })),
      ],
    };
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return { rules: 0, learned: [], hints: [], problems: [...error.problems] };
  }
}

/** A folder or a code named by mistake would pass for tested. */
function nothingTried({ folder = builtInPacksFolder, pack, rule }: Wanted): Problem {
  if (rule !== null) throw new CommandError(`There is no rule ${rule}. See them with: greenlit rules list`);
  if (pack !== null) throw new CommandError(`There is no pack "${pack}" with a rule in ${folder}.`);
  return { file: folder, line: null, message: "holds no pack with a rule" };
}

/** The lists of words that stand in this folder; the built-in ones are at hand for those that include them. */
async function testLexicons(folder: string | undefined): Promise<Problem[]> {
  const own = folder ?? builtInPacksFolder;
  const builtIn = await loadLexicons([builtInPacksFolder], []);
  const lexicons = own === builtInPacksFolder ? builtIn : await loadLexicons([builtInPacksFolder, own], []);
  const tested = own === builtInPacksFolder ? lexicons : lexicons.slice(builtIn.length);
  return tested.flatMap((lexicon) => testLexicon(lexicons, lexicon));
}
