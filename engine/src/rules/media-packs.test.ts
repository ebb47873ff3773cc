import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, LoudnessEvidence } from "../evidence/evidence.ts";
import type { Context, Sidekick } from "../sidekick.ts";
import { filmProbe, judge, makeSpeech, makeSuper } from "../testing/evidence.ts";
import { builtIn } from "../testing/sidekicks.ts";

const supers = await builtIn("legal-supers");
const broadcast = await builtIn("broadcast-technical");
const captions = await builtIn("captions-accessibility");

/** Fourteen words in two lines, small letters of 15 lines, faint, for two seconds. */
const unreadable: Partial<Evidence> = {
  supers: {
    supers: [
      makeSuper("Representative 19.9% APR variable. Credit subject to status.\nOver 18s and UK residents only.", {
        endSeconds: 12,
        heightLines: 20,
        heightShare: 20 / 1080,
        contrastRatio: 2,
      }),
    ],
    readerCalls: 1,
  },
  speech: makeSpeech(),
};

function sound(differences: Partial<LoudnessEvidence> = {}): Partial<Evidence> {
  const curve = { startSeconds: 0, stepSeconds: 0.1, momentaryLufs: [], shortTermLufs: [-9] };
  const loudness = { integratedLufs: -10, maxShortTermLufs: -9, maxMomentaryLufs: -8, rangeLu: 2, truePeakDbtp: -0.5 };
  return { loudness: { ...loudness, curve, ...differences } };
}

function outcome(sidekick: Sidekick, found: Partial<Evidence>, context: Context) {
  return judge(sidekick, found, context)
    .map(({ ruleCode, severity }) => `${ruleCode} ${severity}`)
    .toSorted();
}

test("small print for UK television is judged by the UK figures alone", () => {
  assert.deepEqual(outcome(supers, unreadable, { jurisdictions: ["UK"], channel: "tv" }), [
    "SUPER-UK-CONTRAST MAJOR",
    "SUPER-UK-HEIGHT MAJOR",
    "SUPER-UK-HOLD MAJOR",
  ]);
});

test("small print for US and Indian television is judged by theirs", () => {
  assert.deepEqual(outcome(supers, unreadable, { jurisdictions: ["US", "IN"], channel: "TV" }), [
    "SUPER-IN-CONTRAST MAJOR",
    "SUPER-IN-HEIGHT MAJOR",
    "SUPER-IN-HOLD MAJOR",
    "SUPER-US-CONTRAST MAJOR",
    "SUPER-US-HEIGHT MAJOR",
    "SUPER-US-HOLD MAJOR",
  ]);
});

test("where nothing is declared the UK figures are told, and where only the channel is not, those of the country", () => {
  assert.deepEqual(outcome(supers, unreadable, {}), [
    "SUPER-UK-CONTRAST INFO",
    "SUPER-UK-HEIGHT INFO",
    "SUPER-UK-HOLD INFO",
  ]);
  assert.deepEqual(outcome(supers, unreadable, { jurisdictions: ["US"] }), [
    "SUPER-US-CONTRAST INFO",
    "SUPER-US-HEIGHT INFO",
    "SUPER-US-HOLD INFO",
  ]);
});

test("small print that is not for television is left alone", () => {
  assert.deepEqual(outcome(supers, unreadable, { jurisdictions: ["UK"], channel: "online" }), []);
});

test("the reasoning has the arithmetic first and the duty after it", () => {
  const hold = judge(supers, unreadable, { jurisdictions: ["UK"], channel: "tv" }).find(
    ({ ruleCode }) => ruleCode === "SUPER-UK-HOLD",
  );

  assert.match(
    hold?.severityReasoning ?? "",
    /^Held 2 s; needs 5\.8 s = 14 words × 0\.2 s \+ 3 s\. All text on screen at once must be held/,
  );
  assert.deepEqual(
    hold?.precedents.map(({ title }) => title.includes("Advertising Standards Authority")),
    [true, true],
  );
});

test("a political statement has the figures of federal law instead of the networks'", () => {
  const statement = makeSuper("Paid for by the Smith campaign", {
    endSeconds: 13,
    heightLines: 32,
    heightShare: 32 / 1080,
  });

  assert.deepEqual(
    outcome(supers, { supers: { supers: [statement], readerCalls: 1 } }, { jurisdictions: ["US"], channel: "tv" }),
    ["SUPER-US-POLITICAL-HEIGHT CRITICAL", "SUPER-US-POLITICAL-HOLD CRITICAL"],
  );
});

for (const [destination, expected] of [
  ["ebu", ["LOUD-EBU-SHORT MAJOR", "LOUD-EBU-SHORT-TERM MAJOR", "LOUD-EBU-TRUE-PEAK MAJOR"]],
  ["uk_tv", ["LOUD-EBU-SHORT-TERM MAJOR", "LOUD-UK-LOUD MAJOR", "LOUD-UK-TRUE-PEAK MAJOR"]],
  ["us_tv", ["LOUD-ATSC MAJOR", "LOUD-ATSC-TRUE-PEAK MAJOR"]],
  ["nz_tv", ["LOUD-ANZ MAJOR", "LOUD-ANZ-TRUE-PEAK MAJOR"]],
  ["Netflix", ["LOUD-NETFLIX MAJOR", "LOUD-NETFLIX-TRUE-PEAK MAJOR"]],
  ["spotify", ["LOUD-SPOTIFY MINOR", "LOUD-STREAMING-TRUE-PEAK MINOR"]],
  ["apple podcasts", ["LOUD-APPLE MINOR", "LOUD-STREAMING-TRUE-PEAK MINOR"]],
] as const) {
  test(`a loud mix for ${destination} is judged by its figures alone`, () => {
    assert.deepEqual(outcome(broadcast, sound(), { destination }), expected);
  });
}

test("a loud mix for nowhere, or for where nobody knows, is compared with EBU R 128, once", () => {
  const expected = ["LOUD-EBU-SHORT INFO", "LOUD-EBU-SHORT-TERM INFO", "LOUD-EBU-TRUE-PEAK INFO"];

  assert.deepEqual(outcome(broadcast, sound(), {}), expected);
  assert.deepEqual(outcome(broadcast, sound(), { destination: "somewhere else" }), expected);
});

test("a programme has the wider tolerance and no short-term limit", () => {
  const probe = { ...filmProbe, durationSeconds: 1800 };
  const quiet = { integratedLufs: -22.2, maxShortTermLufs: -14, truePeakDbtp: -3 };

  assert.deepEqual(outcome(broadcast, { probe, ...sound(quiet) }, { destination: "ebu" }), []);
  assert.deepEqual(
    outcome(broadcast, { probe, ...sound({ ...quiet, integratedLufs: -20 }) }, { destination: "uk_tv" }),
    ["LOUD-EBU-LONG MAJOR"],
  );
});

test("precedents about loud advertisements come with loud ones only", () => {
  const loud = judge(broadcast, sound(), { destination: "uk_tv" }).find(({ ruleCode }) => ruleCode === "LOUD-UK-LOUD");
  const quiet = sound({ integratedLufs: -30, maxShortTermLufs: -28, truePeakDbtp: -12 });
  const [soft] = judge(broadcast, quiet, { destination: "uk_tv" });

  assert.equal(loud?.precedents.length, 3);
  assert.deepEqual([soft?.ruleCode, soft?.severity, soft?.precedents.length], ["LOUD-UK-QUIET", "MINOR", 0]);
});

test("a programme for US television needs captions from five minutes on, a film for the web always", () => {
  const speech = makeSpeech([1, 9, "Once upon a time there was a cup of coffee."]);
  const found = { speech, captions: { tracks: [] }, supers: { supers: [], readerCalls: 0 } };
  const long = { ...found, probe: { ...filmProbe, durationSeconds: 1800 } };
  const usTv = { jurisdictions: ["US"], channel: "tv" };

  assert.deepEqual(outcome(captions, found, usTv), []);
  assert.deepEqual(outcome(captions, long, usTv), ["CAP-US-MISSING MAJOR"]);
  assert.deepEqual(outcome(captions, found, { channel: "social" }), ["CAP-MISSING MAJOR"]);
  assert.deepEqual(outcome(captions, found, {}), ["CAP-MISSING INFO"]);
});
