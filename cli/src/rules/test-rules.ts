import { exampleHead, type Examples, type Separation } from "@greenlit/engine/models/meaning/example-head.ts";
import { loadLexicons, testLexicon } from "@greenlit/engine/rules/load-lexicons.ts";
import { builtInPacksFolder, loadPacks, type Pack } from "@greenlit/engine/rules/load-packs.ts";
import { PackError } from "@greenlit/engine/rules/pack-error.ts";
import { testPeace, testRule } from "@greenlit/engine/rules/self-test.ts";
import { print } from "../print.ts";

/** Exit code 1 when a pack has a mistake or a rule does not keep its promises. */
export async function testRules(folder: string | undefined, options: { json?: boolean }): Promise<void> {
  const { rules, problems, learned } = await tryPacks(folder);
  if (problems.length > 0) process.exitCode = 1;
  print(options, { rules, problems, learned }, [
    ...learned.flatMap(describeLearned),
    ...problems.map(({ file, line, message }) => `${file}${line === null ? "" : `:${line}`}: ${message}`),
    problems.length === 0
      ? `${rules === 1 ? "One rule keeps all its promises" : `${rules} rules keep all their promises`}.`
      : `${problems.length === 1 ? "One mistake" : `${problems.length} mistakes`}.`,
  ]);
}

/** How well the examples of a rule by example are told apart, each judged without having been learned from. */
type Learned = { code: string } & Separation;

function describeLearned({ code, found, fails, quiet, passes, mistaken }: Learned): string[] {
  return [
    `${code} tells its examples apart: finds ${found} of ${fails}, leaves ${quiet} of ${passes} alone (each judged by what it learned from the others).`,
    ...mistaken.map((text) => `  mistaken about “${text.length > 100 ? `${text.slice(0, 99)}…` : text}”`),
    ...(mistaken.length > (fails + passes) * tooManyMistaken
      ? [
          `  It does not hold yet. Add ten more of each that differ from these ("greenlit rules suggest ${code} --texts FILE" finds the telling ones); if single words are the fault, a rule of kind phrase is surer.`,
        ]
      : []),
  ];
}

const tooManyMistaken = 0.2;

function learnedOf(packs: readonly Pack[]): Learned[] {
  return packs.flatMap(({ sidekick }) =>
    sidekick.rules.flatMap(({ code, check }) =>
      check["examples"] === undefined ? [] : [{ code, ...exampleHead(check["examples"] as Examples).separation }],
    ),
  );
}

type Problem = { file: string; line: number | null; message: string };

async function tryPacks(
  folder: string | undefined,
): Promise<{ rules: number; problems: Problem[]; learned: Learned[] }> {
  try {
    const packs = await loadPacks(folder === undefined ? undefined : [folder]);
    const broken = packs.flatMap((pack) => [
      ...pack.sources.flatMap((source) => testRule(pack, source)),
      ...testPeace(pack),
    ]);
    const rules = packs.flatMap(({ sources }) => sources).length;
    // Nothing was tried, and a folder named by mistake would pass for tested.
    if (folder !== undefined && rules === 0)
      return { rules, learned: [], problems: [{ file: folder, line: null, message: "holds no pack with a rule" }] };
    return {
      rules,
      learned: learnedOf(packs),
      problems: [
        ...(await testLexicons(folder)),
        ...broken.map(({ file, code, message }) => ({ file, line: null, message: `${code} ${message}` })),
      ],
    };
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return { rules: 0, learned: [], problems: [...error.problems] };
  }
}

/** The lists of words that stand in this folder; the built-in ones are at hand for those that include them. */
async function testLexicons(folder: string | undefined): Promise<Problem[]> {
  const own = folder ?? builtInPacksFolder;
  const builtIn = await loadLexicons([builtInPacksFolder], []);
  const lexicons = own === builtInPacksFolder ? builtIn : await loadLexicons([builtInPacksFolder, own], []);
  const tested = own === builtInPacksFolder ? lexicons : lexicons.slice(builtIn.length);
  return tested.flatMap((lexicon) => testLexicon(lexicons, lexicon));
}
