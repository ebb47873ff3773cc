import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, TextBlock } from "../evidence/evidence.ts";
import type { Finding } from "../finding.ts";
import { filmProbe, judge, makeSound, makeSpeech, makeSuper } from "../testing/evidence.ts";
import { builtIn } from "../testing/sidekicks.ts";

const page = { x: 0.1, y: 0.1, width: 0.5, height: 0.05 };
const documentProbe = { ...filmProbe, kind: "document" as const, video: null, audio: null, pages: 1 };
const imageProbe = { ...filmProbe, kind: "image" as const, video: null, audio: null };

function documentOf(...blocks: TextBlock[]): Partial<Evidence> {
  const text = blocks.map((block) => block.text).join("\n");
  return {
    probe: documentProbe,
    document: { pages: [{ page: 1, text, blocks, needsReading: false }], cues: null, limits: [] },
  };
}

function credentials(problem?: string, { isChangeConfirmed = false } = {}): Partial<Evidence> {
  const contentCredentials = {
    isValid: false,
    isAiMade: false,
    issuer: "Example Camera",
    claimGenerator: null,
    actions: [],
    problems: problem === undefined ? [] : [problem],
    isChangeConfirmed,
  };
  return { probe: imageProbe, metadata: { gps: null, entries: [], digitalSourceType: null, contentCredentials } };
}

function author(value: string): Partial<Evidence> {
  const entries = [{ name: "Author", value, source: "XMP" }];
  return {
    probe: imageProbe,
    metadata: {
      gps: { latitude: 51.501_234_5, longitude: -0.141_234_5, source: "EXIF" },
      entries,
      digitalSourceType: null,
      contentCredentials: null,
    },
  };
}

const hidden = (text: string): TextBlock => ({ text, kind: "hidden", region: page, why: "off the page" });
const printed = (text: string, sizePoints: number, contrastRatio: number): TextBlock => ({
  text,
  kind: "body",
  region: page,
  sizePoints,
  contrastRatio,
});
/** Loud from the start, and loudest over the three seconds that end at 10 s. */
const shortTermLufs = Array.from({ length: 200 }, (_, index) => (index === 99 ? -9.000_01 : -12));

/** One case for every sentence that depends on a number, a count or a place. */
const cases: [pack: string, found: Partial<Evidence>][] = [
  ["privacy-metadata", documentOf(hidden("one"))],
  ["privacy-metadata", documentOf(hidden("one"), hidden("two"), hidden("three"), hidden("four"))],
  ["privacy-metadata", documentOf({ text: "Ask legal", kind: "comment", region: null })],
  [
    "privacy-metadata",
    documentOf({ text: "ten", kind: "deleted", region: null }, { text: "two", kind: "inserted", region: null }),
  ],
  ["privacy-metadata", author("Ada Example")],
  ["ai-provenance", credentials("assertion.dataHash.mismatch", { isChangeConfirmed: true })],
  ["ai-provenance", credentials("assertion.bmffHash.mismatch")],
  ["ai-provenance", credentials("signingCredential.expired")],
  ["ai-provenance", credentials("signingCredential.untrusted")],
  ["ai-provenance", credentials("claimSignature.missing")],
  ["ai-provenance", credentials()],
  ["legal-supers", documentOf(printed("Save big", 40, 21), printed("Terms and conditions apply to this offer", 6, 21))],
  [
    "legal-supers",
    {
      supers: {
        supers: [
          makeSuper("Terms and conditions apply, see the website.", {
            heightLines: 10.000_01,
            heightShare: 0.009,
            endSeconds: 10.400_01,
            contrastRatio: 1.500_01,
          }),
        ],
        readerCalls: 1,
      },
    },
  ],
  ["captions-accessibility", documentOf(printed("Grey words on white", 9, 2.345_678))],
  [
    "captions-accessibility",
    {
      speech: makeSpeech([1.000_01, 9.000_01, "Every morning starts with coffee."]),
      captions: { tracks: [] },
      supers: { supers: [], readerCalls: 0 },
    },
  ],
  [
    "broadcast-technical",
    {
      loudness: makeSound(-14.123_456, {
        maxShortTermLufs: -9.000_01,
        truePeakDbtp: 0.123_45,
        curve: { startSeconds: 0, stepSeconds: 0.1, momentaryLufs: [], shortTermLufs },
      }),
    },
  ],
  [
    "broadcast-technical",
    {
      black: [{ startSeconds: 4.000_01, endSeconds: 9.000_02 }],
      freezes: [{ startSeconds: 4.000_01, endSeconds: 15.000_02 }],
      silences: [{ startSeconds: 1.000_01, endSeconds: 12.000_02 }],
    },
  ],
  ["file-integrity", { probe: { ...filmProbe, truncatedAtSeconds: 4.000_01, containerDurationSeconds: 30.000_01 } }],
  ["file-integrity", { probe: { ...filmProbe, truncatedAtSeconds: 4.000_01, containerDurationSeconds: null } }],
  [
    "file-integrity",
    {
      ...documentOf(),
      document: {
        pages: [],
        cues: null,
        limits: [],
        lies: [{ page: 1, says: "happy family", shows: "cures cancer", region: page }],
      },
    },
  ],
];

/** What a person would mark in a sentence. */
const faults: [name: string, pattern: RegExp][] = [
  ["a value that is none", /\b(?:undefined|NaN|null|Infinity)\b|\[object/],
  ["too many digits", /\d\.\d{3,}/],
  ["one of several", /\b1 (?:pieces|comments|changes|lines|entries|flashes|pages|words|frames|characters)\b/],
  ["several of one", /\b(?:[2-9]|\d\d+) (?:piece|comment|change|line|entry|page|word|frame|character) (?!of)\b/],
  ["a plural at the wrong word", /\bpiece of hidden texts\b|(?:[2-9]|\d\d) piece of\b/],
  ["nothing and nothing", /\bno \w+ and \w+ was\b/],
  ["two spaces", / {2}/],
  ["a space before a stop", /\s[.,;:!?](?:\s|$)/],
  ["two stops", /\.\.(?!\.)|[,;]\./],
];

const destinations = ["broadcast-eu", "broadcast-us", "web", "tv-uk"];

test("every sentence and number of a finding reads like one that a person wrote", async () => {
  const found: Finding[] = [];
  for (const [pack, evidence] of cases) {
    const sidekick = await builtIn(pack);
    const before = found.length;
    found.push(...judge(sidekick, evidence));
    for (const destination of destinations)
      found.push(...judge(sidekick, evidence, { destination, jurisdictions: ["UK"], channel: "tv" }));
    assert.ok(found.length > before, `${pack} finds nothing in ${JSON.stringify(evidence).slice(0, 200)}`);
  }

  for (const finding of found) {
    const sentences = [
      finding.summary,
      finding.severityReasoning,
      finding.severityReasoningHeadline,
      finding.recommendation,
    ];
    for (const sentence of sentences) {
      for (const [name, pattern] of faults) assert.doesNotMatch(sentence, pattern, `${finding.ruleCode}: ${name}`);
    }
    assert.match(finding.summary, /[.!?”]$/, finding.summary);
    for (const seconds of [finding.location?.startSeconds, finding.location?.endSeconds]) {
      assert.ok(
        seconds === null || seconds === undefined || String(seconds).length <= 8,
        `${finding.ruleCode}: ${seconds}`,
      );
    }
  }
});

test("the loudest three seconds are named where they are", async () => {
  const loudness = makeSound(-14, {
    maxShortTermLufs: -9.000_01,
    curve: { startSeconds: 0, stepSeconds: 0.1, momentaryLufs: [], shortTermLufs },
  });
  const found = judge({ check: { kind: "short-term-loudness", standard: "EBU R 128 s1", maxLufs: -18 } }, { loudness });

  assert.match(found[0]?.summary ?? "", /reach −9 LUFS at 7 s;/);
});

test("an author who is nobody is no person", async () => {
  const sidekick = await builtIn("privacy-metadata");
  const people = (value: string) =>
    judge(sidekick, author(value)).filter(({ summary }) => summary.includes("names a person"));

  assert.deepEqual(["anonymous", "(unspecified)", "Unknown", "Author"].flatMap(people), []);
  assert.equal(people("Ada Example").length, 1);
});
