import assert from "node:assert/strict";
import { access, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { golden } from "../testing/golden.ts";
import { makeScratch } from "../testing/scratch.ts";
import { builtInPacksFolder, loadPacks } from "./load-packs.ts";
import { PackError } from "./pack-error.ts";
import { testPeace, testRule } from "./self-test.ts";

const packs = await loadPacks();
const codes = packs.flatMap(({ sidekick }) => sidekick.rules.map(({ code }) => code));

/** The duties that the packs were made for; a later rule need not stand here. */
const duties = `
  UK-MIS-SUPERLATIVE UK-PRICE-LOWEST UK-PRICE-WASNOW UK-PRICE-UPTO UK-PRICE-DRIP UK-FREE-COND
  XX-SUB-TRIAL XX-URGENCY XX-PROVEN XX-SAMPLE UK-INFLUENCER-AD US-ENDORSE
  US-TYPICAL UK-POM XX-DISEASE XX-WEIGHT-RATE XX-WEIGHT-SPOT US-DSHEA
  US-RX-BALANCE US-GLP1-COMPOUND EU-HEALTH-GENERAL EU-NUTRITION XX-FIVEADAY UK-LHF
  AU-TGA-STATEMENT DE-HWG4 UK-ALC-EXCESS UK-ALC-SUCCESS UK-ALC-STRENGTH FR-EVIN
  US-TTB UK-GAM-SIGNPOST UK-GAM-HARM UK-GAM-BONUS UK-GAM-YOUTH AU-GAM-TAGLINE
  US-GAM-HELP UK-FIN-CRYPTO UK-FIN-HRI UK-FIN-INCENTIVE XX-FIN-CFD XX-FIN-PASTPERF
  XX-FIN-GUARANTEE XX-FIN-CAPITAL UK-CREDIT-REPEX UK-CREDIT-APR UK-CREDIT-HCSTC UK-MORTGAGE
  FR-CREDIT AU-COMPARISON US-REGZ-CLOSED US-REGZ-OPEN US-REGM US-REGDD
  US-SEC-PERF US-SEC-TESTIMONIAL US-FDIC XX-GREEN-GENERIC XX-GREEN-NEUTRAL XX-GREEN-ABSOLUTE
  XX-GREEN-AIRLINE US-MADEINUSA XX-REVIEWS UK-VAPE UK-CHILD-PESTER US-POLITICAL
  UK-POLITICAL XX-AI-LABEL US-AI-CLAIM XX-ACCESS-CLAIM XX-PII EU-CAR-CO2
`
  .trim()
  .split(/\s+/);

const rule = `code: OUR-1
summary: A word that we avoid
severity: MINOR
why: Our readers do not use it.
fix: Cut it out.
check: { kind: phrase, anyOf: [synergy] }
fails: [synergy, Synergy now, our synergy]
passes: [team, work, plan]
`;

test("every rule finds its own hits and leaves its own non-hits alone", () => {
  const broken = packs.flatMap((pack) => pack.sources.flatMap((source) => testRule(pack, source)));

  assert.deepEqual(broken, []);
});

test("no rule fires on what cures another rule of its pack", () => {
  assert.deepEqual(
    packs.flatMap((pack) => testPeace(pack)),
    [],
  );
});

test("every duty that the packs were made for has a rule", () => {
  const absent = duties.filter((code) => !codes.some((known) => known === code || known.startsWith(`${code}-`)));

  assert.deepEqual(absent, []);
});

test("every golden file that a rule names is in the kit", async () => {
  const names = packs.flatMap(({ sources }) =>
    sources.flatMap((source) => [...(source.golden?.fails ?? []), ...(source.golden?.passes ?? [])]),
  );

  await Promise.all([...new Set(names)].map((name) => access(golden(name))));
});

test("every rule of a law or code says where it is written", () => {
  const unsourced = packs
    // Engineering sense, which no law writes down.
    .filter(({ folder }) => !/\/(?:file-integrity|broadcast-technical)$/.test(folder))
    .flatMap(({ sidekick }) => sidekick.rules.filter(({ citation }) => citation === null).map(({ code }) => code));

  assert.deepEqual(unsourced, []);
});

test("a pack's version changes with any of its rules", async () => {
  await using scratch = await makeScratch();
  const write = (fix: string) => writePack(scratch.folder, { "our-1.yaml": rule.replace("Cut it out.", fix) });

  await write("Cut it out.");
  const [before] = await loadPacks([join(scratch.folder, "packs")]);
  await write("Leave it out.");
  const [after] = await loadPacks([join(scratch.folder, "packs")]);

  assert.notEqual(before?.sidekick.packVersion, after?.sidekick.packVersion);
  assert.equal(before?.sidekick.sidekickId, after?.sidekick.sidekickId);
});

test("all mistakes of a pack are told at once, each with its file and line", async () => {
  await using scratch = await makeScratch();
  await writePack(scratch.folder, {
    "our-1.yaml": rule.replace("kind: phrase", "kind: phrases"),
    "our-2.yaml": rule.replace("OUR-1", "OUR-2").replace("severity: MINOR", "severity: LOUD"),
    "our-3.yaml": rule.replace("OUR-1", "OUR-3").replace("anyOf: [synergy]", "anyOf: ['/(/']"),
    "our-4.yaml": rule.replace("OUR-1", "OUR-4").replace("passes: [team, work, plan]", "passes: [team]"),
    "our-5.yaml": rule.replace("OUR-1", "OUR-6"),
    "our-7.yaml": rule.replace("OUR-1", "OUR-7").replace("fails:", "precedents: [NOBODY]\nfails:"),
    "our-8.yaml": "code: [",
    "our-9.yaml": rule.replace("OUR-1", "OUR-9").replace("check:", "sectors: [shops]\ncheck:"),
  });

  const error = await loadPacks([join(scratch.folder, "packs")]).catch((reason: unknown) => reason);

  assert.ok(error instanceof PackError);
  const told = error.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n");
  assert.match(told, /packs\/ours\/our-1\.yaml:6: there is no check phrases; there are phrase, claim/);
  assert.match(told, /our-2\.yaml:3: severity: must be one of CRITICAL, MAJOR, MINOR, INFO/);
  assert.match(told, /our-3\.yaml:6: .*Invalid regular expression/);
  assert.match(told, /our-4\.yaml:7: a rule needs three `fails` and three `passes`/);
  assert.match(told, /our-5\.yaml:1: OUR-6 must be in a file named our-6\.yaml/);
  assert.match(told, /our-7\.yaml:7: NOBODY is not in rulepacks\/precedents\.yaml/);
  assert.match(told, /our-8\.yaml:1: /);
  assert.match(told, /our-9\.yaml:6: there is no sector shops; there are alcohol, gambling/);
});

test("a code or an id that is taken is refused", async () => {
  await using scratch = await makeScratch();
  await writePack(scratch.folder, { "pse-pattern.yaml": rule.replace("OUR-1", "PSE-PATTERN") });

  await assert.rejects(
    loadPacks([builtInPacksFolder, join(scratch.folder, "packs")]),
    /PSE-PATTERN is also the code of rulepacks\/photosensitivity\/pse-pattern\.yaml/,
  );
});

async function writePack(folder: string, files: Record<string, string>): Promise<void> {
  const pack = `sidekickId: 0197a3a0-0000-7000-8000-00000000000a\nname: Ours\ndescription: Our own rules.\nversion: 1.0.0\n`;
  for (const [name, text] of Object.entries({ "pack.yaml": pack, ...files })) {
    const path = join(folder, "packs", "ours", name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}
