import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { analyze } from "../analyze.ts";
import { emptyEvidence } from "../evidence/empty-evidence.ts";
import { openModels } from "../models/open-models.ts";
import { loadPacks } from "../rules/load-packs.ts";
import { filmProbe } from "../testing/evidence.ts";
import { filesNamedByRules, golden, mediaTypeOf } from "../testing/golden.ts";
import { goldenContexts } from "../testing/judge-again.ts";
import { makeSidekick } from "../testing/sidekicks.ts";
import { createKeptJudge } from "./judge-kept.ts";
import { KeptEvidenceError, packEvidence, unpackEvidence } from "./kept-evidence.ts";

const today = "2026-11-16";
/** They hold nothing that can be analysed. */
const refused = new Set(["locked.docx", "locked.pdf", "phone.mp4", "signed.mp4", "tagged.mp3", "ten-hours.mp4"]);
/** Gathered, kept and judged again by tests of their own, which ask what they show. */
const ownTests = ["cyrillic.png", "thai.png", "small-print.png", "long.mp4"];
/** Gathered whole, though tests of their own gather a part of them. */
const alsoWhole = ["claims.pdf", "deck.pptx", "captions-bad.srt", "talk.mp4", "eas-attention.mp3"];

/** The files that no other test gathers: golden-rules, golden-supers, golden-speech and foreign-scripts keep and judge theirs again. */
async function listKit(): Promise<string[]> {
  const readTruth = async (name: string) =>
    JSON.parse(await readFile(new URL(`../../golden/${name}`, import.meta.url), "utf8")) as Record<string, object>;
  const supers = Object.keys((await readTruth("truth-supers.json"))["clips"] ?? {});
  const elsewhere = new Set([
    ...ownTests,
    ...(await filesNamedByRules()),
    ...supers,
    ...Object.keys(await readTruth("truth-speech.json")),
  ]);
  const files = await readdir(new URL("../../golden/files/", import.meta.url));
  return [...files.filter((name) => !elsewhere.has(name) && !refused.has(name)), ...alsoWhole].toSorted();
}

test("kept evidence gives the same findings, byte for byte, as the file does", { timeout: 900_000 }, async () => {
  const sidekicks = (await loadPacks()).map(({ sidekick }) => sidekick);
  await using models = openModels();
  let found = 0;
  const kit = await listKit();
  for (const [index, name] of kit.entries()) {
    const context = goldenContexts[index % goldenContexts.length] ?? {};
    const file = { file: golden(name), mediaType: mediaTypeOf(name) };

    const result = await analyze({ ...file, sidekicks, context, today, wantsEvidence: true }, { models });
    const bytes = Buffer.from(result.keptEvidence ?? "", "base64");
    const judge = createKeptJudge(unpackEvidence(bytes));

    const judged = judge.judge({ sidekicks, context, today });
    assert.equal(JSON.stringify(judged.findings), JSON.stringify(result.findings), name);
    assert.equal(JSON.stringify(judge.measure(context)), JSON.stringify(result.measurements), name);
    assert.ok(bytes.length < 2 * 2 ** 20, `${name}: ${bytes.length} bytes`);
    found += judged.findings.length;
  }
  assert.ok(found > kit.length / 2, `only ${found} findings in ${kit.length} files prove little`);
});

test("a rule that needs what was never gathered is named, not passed", () => {
  const probe = { ...filmProbe, kind: "document" as const };
  const kept = { evidence: emptyEvidence(probe), gathered: ["metadata" as const] };
  const sidekick = makeSidekick({ code: "X-WORDS", check: { kind: "phrase", anyOf: ["cure"] } });

  const judged = createKeptJudge(kept).judge({ sidekicks: [sidekick], context: {}, today });

  assert.deepEqual(judged, { findings: [], unjudgedRules: ["X-WORDS"], ruleCount: 0 });
});

test("numbers that JSON cannot carry survive", () => {
  const evidence = { ...emptyEvidence(filmProbe), silences: [{ startSeconds: -0, endSeconds: Infinity }] };

  const { evidence: read } = unpackEvidence(packEvidence({ evidence, gathered: ["silences"] }));

  assert.ok(Object.is(read.silences?.[0]?.startSeconds, -0));
  assert.equal(read.silences?.[0]?.endSeconds, Infinity);
});

test("damaged, foreign and newer bytes are refused by name", () => {
  const bytes = packEvidence({ evidence: emptyEvidence(filmProbe), gathered: [] });
  const damaged = Buffer.from(bytes.subarray(0, bytes.length - 4));
  const newer = Buffer.from(bytes);
  newer.writeUInt8(9, 4);

  assert.throws(() => unpackEvidence(damaged), KeptEvidenceError);
  assert.throws(() => unpackEvidence(Buffer.from("%PDF-1.7 and more")), /no kept evidence/);
  assert.throws(() => unpackEvidence(newer), /format 9, and this release reads up to 1/);
});
