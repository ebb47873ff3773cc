import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { AnalysisError } from "./analysis-error.ts";
import type { AnalysisRequest } from "./analyze.ts";
import { openAnalysisCache } from "./analysis-cache.ts";
import { type AnalysisCache, runAnalysisInChild } from "./child.ts";
import { findJail } from "./jail/jail.ts";
import { findModels } from "./models/find-models.ts";
import { openModels } from "./models/open-models.ts";
import { analyzeInOneJail } from "./one-jail.ts";
import { golden, mediaTypeOf } from "./testing/golden.ts";
import { commandOf, descendantsOf } from "./testing/processes.ts";
import { makeScratch } from "./testing/scratch.ts";
import { builtIn, makeSidekick } from "./testing/sidekicks.ts";
import { until } from "./testing/until.ts";

const sealKey = randomBytes(32);
const limits = { memoryBytes: 256 * 2 ** 20, timeoutSeconds: 240 };
const sidekicks = [makeSidekick({ check: { kind: "phrase", anyOf: ["/\\bcures?\\s+arthritis\\b/"] } })];

test("a forged cache is never read: the next analysis finds what the first one found", async () => {
  await using scratch = await makeScratch();
  const request = await requestForText(scratch);
  await using cache = openAnalysisCache({ folder: join(scratch.folder, "cache"), sidekicks, sealKey, warmUpAt: 1 });
  const first = await runAnalysisInChild(request, { ...limits, cache });
  const folder = await made(cache);
  const genuine = await readFile(literalsIn(folder), "utf8");
  await forge(folder);

  // Read, the forged patterns would begin with a word that the text does not have, so that nothing is found.
  const forged = await runAnalysisInChild(request, { ...limits, cache: { use: async () => usable(folder) } });
  const second = await runAnalysisInChild(request, { ...limits, cache });

  assert.ok(first.findings.length > 0);
  assert.deepEqual(forged.findings, []);
  assert.deepEqual(second.findings, first.findings);
  assert.equal(await readFile(literalsIn(await made(cache)), "utf8"), genuine);
});

test("the next start takes what was kept, unless somebody changed it meanwhile", async () => {
  await using scratch = await makeScratch();
  const options = { folder: join(scratch.folder, "cache"), sidekicks, sealKey };
  await using first = openAnalysisCache({ ...options, warmUpAt: 1 });
  const folder = await made(first);

  await using second = openAnalysisCache(options);
  await using ofOthers = openAnalysisCache({ ...options, sealKey: randomBytes(32) });
  await using ofOtherRules = openAnalysisCache({ ...options, sidekicks: [] });
  assert.equal((await second.use())?.folder, folder);
  assert.equal(await ofOthers.use(), undefined);
  assert.equal(await ofOtherRules.use(), undefined);

  await forge(folder);
  await using third = openAnalysisCache(options);
  assert.equal(await third.use(), undefined);
});

test("a folder that others may write to is not used", async () => {
  await using scratch = await makeScratch();
  const options = { folder: join(scratch.folder, "cache"), sidekicks, sealKey };
  await using first = openAnalysisCache({ ...options, warmUpAt: 1 });
  await made(first);
  await chmod(options.folder, 0o777);

  await using second = openAnalysisCache(options);
  assert.equal(await second.use(), undefined);
});

test("a file that is added to the cache makes it unusable", async () => {
  await using scratch = await makeScratch();
  await using cache = openAnalysisCache({ folder: join(scratch.folder, "cache"), sidekicks, sealKey, warmUpAt: 1 });
  const folder = await made(cache);
  await writeFile(join(folder, "more"), "");

  assert.equal(await cache.use(), undefined);
});

test("an analysis writes nothing into the cache", async () => {
  await using scratch = await makeScratch();
  const empty = join(scratch.folder, "empty");
  await writeFile(join(scratch.folder, "other.txt"), "");
  const request = await requestForText(scratch);

  const { findings } = await runAnalysisInChild(request, { ...limits, cache: { use: async () => usable(empty) } });

  assert.ok(findings.length > 0);
  const written = (await readdir(scratch.folder, { recursive: true, withFileTypes: true })).filter((e) => e.isFile());
  assert.deepEqual(written.map(({ name }) => name).toSorted(), ["ad.txt", "other.txt"]);
});

test("an analysis ends well although its cache cannot be read", async () => {
  await using scratch = await makeScratch();
  const request = await requestForText(scratch);
  const cache = { use: async () => usable("/dev/null/cache") };

  assert.ok((await runAnalysisInChild(request, { ...limits, cache })).findings.length > 0);
});

test("a small text and a picture give in one jail what they give the long way", async (t) => {
  if (!(await findJail()).isolatesFiles) return t.skip("needs bubblewrap");
  await using scratch = await makeScratch();
  const privacy = await builtIn("privacy-metadata");
  const ofMetadata = privacy.rules.filter(({ check }) => check.kind === "metadata");
  const forPhotos = [{ ...privacy, rules: ofMetadata }];
  const all = [...sidekicks, ...forPhotos];
  await using cache = openAnalysisCache({
    folder: join(scratch.folder, "cache"),
    sidekicks: all,
    sealKey,
    warmUpAt: 1,
  });
  const cacheFolder = await made(cache);
  const photo = { file: golden("gps.jpg"), mediaType: mediaTypeOf("gps.jpg"), sidekicks: forPhotos, context: {} };
  // As the service wants it.
  const extras = { wantsFrames: true, wantsEvidence: true, wantsPrint: { sha256: "0".repeat(64) } };

  for (const given of [await requestForText(scratch), photo]) {
    const request = { ...given, ...extras };
    const inOneJail = await analyzeInOneJail(request, { cacheFolder, models: undefined, timeoutSeconds: 240 });
    const theLongWay = await runAnalysisInChild(request, limits);

    assert.ok(theLongWay.findings.length > 0);
    assert.deepEqual(JSON.parse(JSON.stringify(inOneJail)), JSON.parse(JSON.stringify(theLongWay)));
  }
});

test("what is heard of a small file is heard once, and its failure keeps its type", async () => {
  await using scratch = await makeScratch();
  await using cache = openAnalysisCache({ folder: join(scratch.folder, "cache"), sidekicks, sealKey, warmUpAt: 1 });
  await made(cache);
  const heard: string[] = [];
  const listeners = { onProbe: () => heard.push("probe"), onFinding: () => heard.push("finding") };
  const broken = await scratch.write("broken.jpg", Buffer.from("ffd8ffe000104a464946000101", "hex"));

  await runAnalysisInChild(await requestForText(scratch), { ...limits, cache, ...listeners });
  const running = runAnalysisInChild(
    { file: broken, mediaType: mediaTypeOf("broken.jpg"), sidekicks, context: {} },
    { ...limits, cache },
  );

  assert.deepEqual(heard, ["probe", "finding"]);
  await assert.rejects(running, (error) => error instanceof AnalysisError && error.errorType === "corrupt_media");
});

const cannotHear = process.platform !== "linux" || !findModels().canHearSpeech;

test("the models run the code of the cache too", { skip: cannotHear && "no models, or no /proc" }, async () => {
  await using scratch = await makeScratch();
  await using cache = openAnalysisCache({ folder: join(scratch.folder, "cache"), sidekicks, sealKey, warmUpAt: 1 });
  await made(cache);
  await using models = openModels();
  const name = "speech-none-noise.ogg";
  const ofSpeech = makeSidekick({ check: { kind: "phrase", anyOf: ["read the label"], sources: ["speech"] } });

  await runAnalysisInChild(
    { file: golden(name), mediaType: mediaTypeOf(name), sidekicks: [ofSpeech], context: {} },
    { ...limits, cache, models },
  );

  const commands = descendantsOf(process.pid).map(commandOf);
  const { kind, dropsUser } = await findJail();
  // A child that has become nobody cannot enter the folder, which is private.
  const isReadable = kind.startsWith("bubblewrap") || !dropsUser;
  const expected = isReadable ? `${join(scratch.folder, "cache")}.*models-worker\\.mjs` : "models-worker\\.ts";
  const programs = commands.flatMap((command) => command.split("\0"));
  assert.ok(programs.some((program) => new RegExp(`${expected}$`).test(program)));
});

test("a file that one jail cannot finish is analysed the long way", async () => {
  await using scratch = await makeScratch();
  await using cache = openAnalysisCache({ folder: join(scratch.folder, "cache"), sidekicks, sealKey, warmUpAt: 1 });
  await made(cache);
  const moving = { file: golden("animated.webp"), mediaType: mediaTypeOf("animated.webp"), sidekicks, context: {} };

  const { probe } = await runAnalysisInChild(moving, { ...limits, cache });

  assert.notEqual(probe.video, null);
});

test("a pattern that runs away in one jail costs its rule, not the file", { timeout: 900_000 }, async () => {
  await using scratch = await makeScratch();
  const runaway = [
    makeSidekick({ check: { kind: "phrase", anyOf: ["/(a+)+$/"] } }, { check: { kind: "phrase", anyOf: ["/a{60}/"] } }),
  ];
  await using cache = openAnalysisCache({
    folder: join(scratch.folder, "cache"),
    sidekicks: runaway,
    sealKey,
    warmUpAt: 1,
  });
  await made(cache);
  const file = await scratch.write("leaflet.txt", `${"a".repeat(60)}!`);
  const request = { file, mediaType: mediaTypeOf(file), sidekicks: runaway, context: {} };

  const { findings } = await runAnalysisInChild(request, { ...limits, cache });

  assert.deepEqual(
    findings.map(({ ruleCode, severity, needsHuman }) => [ruleCode, severity, needsHuman]),
    [
      ["T-1", "INFO", true],
      ["T-2", "MAJOR", false],
    ],
  );
});

test("no cache is made for a single analysis", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.folder, "cache");
  await using cache = openAnalysisCache({ folder, sidekicks, sealKey });

  assert.equal(await cache.use(), undefined);

  assert.deepEqual(await readdir(scratch.folder), []);
});

function usable(folder: string) {
  return { folder };
}

/** The folder of the cache, when it is ready. */
async function made(cache: AnalysisCache): Promise<string> {
  let found: Awaited<ReturnType<AnalysisCache["use"]>>;
  await until(async () => (found = await cache.use()) !== undefined);
  return found?.folder ?? "";
}

function literalsIn(folder: string): string {
  return join(folder, "required-literals.json");
}

async function forge(folder: string): Promise<void> {
  const file = literalsIn(folder);
  const requiredLiterals = JSON.parse(await readFile(file, "utf8")) as [string, object][];
  await chmod(file, 0o600);
  const nowhere = requiredLiterals.map(([pattern, each]) => [pattern, { ...each, openings: ["zzzz"] }]);
  await writeFile(file, JSON.stringify(nowhere));
  await chmod(file, 0o400);
}

async function requestForText(scratch: Awaited<ReturnType<typeof makeScratch>>): Promise<AnalysisRequest> {
  return {
    file: await scratch.write("ad.txt", "Our cream cures arthritis in a week. Guaranteed."),
    mediaType: { contentType: "text/plain", category: "document" },
    sidekicks,
    context: { jurisdictions: ["UK"] },
  };
}
