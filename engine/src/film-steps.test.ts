import assert from "node:assert/strict";
import { test } from "node:test";
import { type AnalysisRequest, analyze } from "./analyze.ts";
import type { FilmPart } from "./evidence/parts/film-part.ts";
import type { Finding } from "./finding.ts";
import { createKeptJudge } from "./kept/judge-kept.ts";
import { unpackEvidence } from "./kept/kept-evidence.ts";
import { openModels } from "./models/open-models.ts";
import { golden, mediaTypeOf } from "./testing/golden.ts";
import { makeScratch } from "./testing/scratch.ts";
import { builtIn, makeSidekick } from "./testing/sidekicks.ts";

const packs = ["broadcast-technical", "photosensitivity", "captions-accessibility", "legal-supers"];
const said = { kind: "phrase", anyOf: ["capital at risk", "drink responsibly", "29.9% APR"] } as const;
const today = "2026-11-16";

test("a film of three minutes cut into four gives the findings of the film in one piece", async () => {
  await using models = openModels();
  await using scratch = await makeScratch();
  const request: AnalysisRequest = {
    file: golden("long.mp4"),
    mediaType: mediaTypeOf("long.mp4"),
    sidekicks: [...(await Promise.all(packs.map(builtIn))), makeSidekick({ check: said })],
    context: { jurisdictions: ["UK", "US"] },
    today,
  };

  const whole = await analyze({ ...request, wantsEvidence: true }, { models });
  const { film } = await analyze(
    { ...request, film: { kind: "cut", length: { longerThanSeconds: 90, partSeconds: 45 } } },
    { models },
  );
  assert.ok(film !== undefined && "plan" in film);
  const files: string[] = [];
  for (const part of film.plan.parts) {
    const made = await analyze({ ...request, film: { kind: "part", part, needs: film.plan.needs } }, { models });
    assert.ok(made.film !== undefined && "part" in made.film);
    files.push(await scratch.write(`part-${part.index}`, Buffer.from(made.film.part, "base64")));
  }
  const joined = await analyze({ ...request, film: { kind: "join", files } }, { models });

  assert.deepEqual(
    film.plan.parts.map(({ fromSeconds }: FilmPart) => fromSeconds),
    [0, 44, 92, 136],
  );
  assert.equal(joined.film, undefined);
  assert.deepEqual(joined.findings.map(inShort), whole.findings.map(inShort));
  // What the film was made for: a test of nothing would pass too.
  const codes = new Set(whole.findings.map(({ ruleCode }) => ruleCode));
  for (const code of ["PIC-BLACK", "PIC-FREEZE", "SOUND-SILENCE", "EAS-TONES", "PSE-FLASH-GENERAL", "PSE-PATTERN"])
    assert.ok(codes.has(code), `${code} is missing in ${[...codes].join()}`);
  assert.equal(whole.findings.filter(({ ruleCode }) => ruleCode === "T-1").length, said.anyOf.length);
  const kept = createKeptJudge(unpackEvidence(Buffer.from(whole.keptEvidence ?? "", "base64")));
  assert.equal(JSON.stringify(kept.judge({ ...request, today }).findings), JSON.stringify(whole.findings));
  assert.deepEqual(joined.measurements.supers, whole.measurements.supers);
  assert.deepEqual(joined.measurements.flashes?.sequences, whole.measurements.flashes?.sequences);
});

test("finding out how a film is cut is no progress: hours of work come after it", async () => {
  const told: number[] = [];

  const { film } = await analyze(
    {
      file: golden("long.mp4"),
      mediaType: mediaTypeOf("long.mp4"),
      sidekicks: [makeSidekick({ check: said })],
      context: {},
      film: { kind: "cut", length: { longerThanSeconds: 90, partSeconds: 45 } },
    },
    { onProgress: (fraction) => told.push(fraction) },
  );

  assert.ok(film !== undefined && "plan" in film);
  assert.deepEqual(told, [0.05]);
});

test("a film that is not longer than allowed is analysed in one piece at once", async () => {
  const film = { kind: "cut", length: { longerThanSeconds: 6, partSeconds: 3 } } as const;
  const request = { file: golden("scenes.mp4"), mediaType: mediaTypeOf("scenes.mp4"), context: {} };

  const result = await analyze({ ...request, sidekicks: [makeSidekick({ check: said })], film });

  assert.equal(result.film, undefined);
});

function inShort({ ruleCode, severity, summary, location, measurement, fingerprint }: Finding) {
  return { ruleCode, severity, summary, location, measurement, fingerprint };
}
