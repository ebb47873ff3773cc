import { parseArgs } from "node:util";
import { assetText } from "@greenlit/engine/text/asset-text.ts";
import { compilePattern } from "@greenlit/engine/text/pattern.ts";
import { emptyEvidence } from "@greenlit/engine/evidence/empty-evidence.ts";
import { type CorpusText, falseAlarms, missed, readCorpus } from "@greenlit/engine/rules/corpus.ts";
import { judgeRules, planRules } from "@greenlit/engine/rules/judge.ts";
import { loadPacks, type Pack } from "@greenlit/engine/rules/load-packs.ts";
import { textProbe } from "@greenlit/engine/rules/self-test.ts";
import { readManyPatterns } from "@greenlit/engine/testing/many-patterns.ts";
import { atLeast, atMost, median, rounded, say, type Bench } from "../report.ts";
import { alarmsOnMedia } from "./alarms-on-media.ts";
import { measureBlind, type TextFigures } from "./blind.ts";

const pages = 100;
const charactersPerPage = 3000;
const rounds = 5;

export const benchRules: Bench = {
  about:
    "False alarms and recall on the corpus, on a blind set (--blind FILE), and text rules against a bare pass of patterns.",
  async run() {
    const { values } = parseArgs({ args: process.argv.slice(3), options: { blind: { type: "string" } } });
    const packs = await loadPacks();
    const blind = values.blind === undefined ? null : await measureBlind(packs, values.blind);
    const [clean, offending] = [await readCorpus("clean"), await readCorpus("offending")];
    const alarms = falseAlarms(packs, clean);
    const lost = missed(packs, offending);
    const { media, alarms: mediaAlarms } = await alarmsOnMedia(packs);
    for (const { id, finding } of [...alarms, ...mediaAlarms])
      say(`false alarm  ${id}  ${finding.ruleCode}  ${finding.summary}`);
    for (const { id, expects, text } of lost) say(`missed       ${id}  ${expects}  ${text.replaceAll(/\s+/g, " ")}`);

    const document = makeDocument(clean);
    const ours: number[] = [];
    const bare: number[] = [];
    const sentence: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(judgeAll(packs, document));
      bare.push(matchAll(document));
      for (const { text } of clean.slice(0, 40)) sentence.push(judgeAll(packs, [text.slice(0, 120)]) * 1000);
    }
    return {
      bars: [
        atMost("false alarms above INFO on honest texts", alarms.length, 0),
        atMost("false alarms above INFO on honest media", mediaAlarms.length, 0),
        atLeast("share of the offending texts found by their rule", 1 - lost.length / offending.length, 0.9),
        atMost("all text rules over 100 pages, times a bare pass of patterns", median(ours) / median(bare), 0.3),
        atMost("a sentence, times a bare pass over one page", median(sentence) / ((median(bare) * 1000) / pages), 0.37),
        ...(blind === null ? [] : blindBars(blind)),
      ],
      figures: {
        ...(blind === null ? {} : { blind }),
        rules: packs.flatMap(({ sidekick }) => sidekick.rules).length,
        honestTexts: clean.length,
        honestMedia: media.length,
        offendingTexts: offending.length,
        missedByRule: countBy(lost.map(({ expects }) => expects ?? "")),
        pages,
        characters: document.join("").length,
        secondsOfRules: rounded(median(ours)),
        secondsOfBarePatterns: rounded(median(bare)),
        millisecondsOfSentence: rounded(median(sentence)),
      },
    };
  },
};

/** What we promise on texts that nobody tuned against. */
function blindBars({ recall, falseAlarms, byTopic }: TextFigures) {
  const worst = Object.values(byTopic)
    .filter((figures) => figures.recall.of > 0)
    .map((figures) => figures.recall.share);
  return [
    atLeast("blind recall", recall.share, 0.85),
    atMost("blind false alarms above INFO", falseAlarms.share, 0.03),
    atLeast("blind recall of the worst topic", Math.min(...worst), 0.7),
  ];
}

/** Pages of ordinary prose: the honest texts one after the other, over and over. */
function makeDocument(texts: readonly CorpusText[]): string[] {
  let text = "";
  for (let index = 0; text.length < pages * charactersPerPage; index += 1)
    text += `${texts[index % texts.length]?.text}\n\n`;
  return Array.from({ length: pages }, (_, page) =>
    text.slice(page * charactersPerPage, (page + 1) * charactersPerPage),
  );
}

function judgeAll(packs: readonly Pack[], document: readonly string[]): number {
  const startedAt = performance.now();
  const evidence = emptyEvidence(textProbe("document"));
  evidence.document = {
    pages: document.map((text, index) => ({ page: index + 1, text, blocks: [], needsReading: false })),
    cues: null,
    limits: [],
  };
  const context = { jurisdictions: ["UK", "US", "EU"] };
  const sidekicks = packs.map(({ sidekick }) => sidekick);
  const plan = planRules(sidekicks, { probe: evidence.probe, context, today: "2026-11-01" });
  judgeRules(plan, { evidence, text: assetText(evidence), context });
  return (performance.now() - startedAt) / 1000;
}

/** Each of a fixed set of regular expressions once over every page: how rules were judged before they used concepts. */
function matchAll(document: readonly string[]): number {
  const regexes = readManyPatterns().map(compilePattern);
  const startedAt = performance.now();
  for (const text of document) for (const regex of regexes) text.match(regex);
  return (performance.now() - startedAt) / 1000;
}

function countBy(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, group]) => [name, group.length]));
}
