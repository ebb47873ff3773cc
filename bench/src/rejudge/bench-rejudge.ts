import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { openAnalysisCache } from "@greenlit/engine/analysis-cache.ts";
import { evidenceForEveryMarket } from "@greenlit/engine/checks/needed-evidence.ts";
import { runAnalysisInChild } from "@greenlit/engine/child.ts";
import { emptyEvidence } from "@greenlit/engine/evidence/empty-evidence.ts";
import type { Evidence } from "@greenlit/engine/evidence/evidence.ts";
import type { MediaKind } from "@greenlit/engine/evidence/probe/probe-shape.ts";
import { openJudgePool, type JudgementRequest } from "@greenlit/engine/kept/judge-pool.ts";
import { packEvidence } from "@greenlit/engine/kept/kept-evidence.ts";
import { loadMarkets } from "@greenlit/engine/markets/markets.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import { readCorpus } from "@greenlit/engine/rules/corpus.ts";
import { loadPacks } from "@greenlit/engine/rules/load-packs.ts";
import type { Sidekick } from "@greenlit/engine/sidekick.ts";
import { filmProbe, makeSuper } from "@greenlit/engine/testing/evidence.ts";
import { makeClip } from "../engine/make-clip.ts";
import { atLeast, atMost, rounded, say, type Bench } from "../report.ts";

const assets = 1000;
const warmUp = 200;
const frames = 750;
const today = "2026-11-16";

export const benchRejudge: Bench = {
  about: "Kept evidence of 30 s ads judged again by all packs: assets a second, and what fourteen markets cost.",
  async run(stack) {
    const sidekicks = (await loadPacks()).map(({ sidekick }) => sidekick);
    const texts = (await readCorpus("clean")).map(({ text }) => text);
    const kept = Array.from({ length: assets }, (_, index) =>
      packEvidence({
        evidence: makeAd(texts, index),
        gathered: [...new Set(evidenceForEveryMarket(sidekicks, "video"))],
      }),
    );
    const judges = stack.use(openJudgePool({ sidekicks, size: availableParallelism() }));
    const context = { jurisdictions: ["UK"], channel: "tv" };
    const one = [{ sidekickIds: null, context, today }];
    const judgeAll = async (some: readonly Buffer[], judgements: readonly JudgementRequest[]) => {
      const startedAt = performance.now();
      await Promise.all(some.map((bytes) => judges.judge(bytes, judgements)));
      return (performance.now() - startedAt) / 1000;
    };
    say("judging once, for everything that is compiled on the way");
    await judgeAll(kept.slice(0, warmUp), one);
    const seconds = await judgeAll(kept, one);
    const places = new Set<string>();
    const markets = (await loadMarkets()).filter(({ market }) => {
      const place = market.split(":")[0] ?? "";
      const isFirst = !places.has(place);
      places.add(place);
      return isFirst;
    });
    const many = markets.map((market) => ({ sidekickIds: null, context: market.context, today }));
    const some = kept.slice(0, warmUp);
    await judgeAll(some, many);
    const [alone, together] = [await judgeAll(some, one), await judgeAll(some, many)];
    const extraSeconds = (together - alone) / some.length;
    const folder = await mkdtemp(join(tmpdir(), "greenlit-bench-rejudge-"));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const around = { sidekicks, folder };
    say("a film of 30 s, analysed for one market");
    const film = { file: await makeClip(), contentType: "video/mp4", category: "video" } as const;
    const filmSeconds = await timeAnalysis(film, around);
    say("a small text, analysed for one market");
    const note = join(folder, "note.txt");
    await writeFile(note, texts.slice(0, 3).join("\n"));
    const textFile = { file: note, contentType: "text/plain", category: "document" } as const;
    const textSeconds = await timeAnalysis(textFile, around);
    return {
      bars: [
        atLeast("assets judged again a second", assets / seconds, 200),
        atMost("cost of fourteen markets on top of one, in analyses of a 30 s ad", extraSeconds / filmSeconds, 0.1),
        atMost("kept evidence of a 30 s ad, in MB", Math.max(...kept.map(({ length }) => length)) / 1e6, 2),
      ],
      figures: {
        processes: availableParallelism(),
        millisecondsAnAsset: rounded((seconds * 1000) / assets),
        markets: markets.length,
        timesOneMarket: rounded(together / alone),
        analysisSeconds: { film: rounded(filmSeconds), text: rounded(textSeconds) },
        onTopOfTheTextsAnalysis: rounded(extraSeconds / textSeconds),
        millisecondsForAllMarkets: rounded((together * 1000) / some.length),
      },
    };
  },
};

/** As the service does it: in a child, with the models and the compiled rules of the one before. */
async function timeAnalysis(
  { file, contentType, category }: { file: string; contentType: string; category: MediaKind },
  { sidekicks, folder }: { sidekicks: readonly Sidekick[]; folder: string },
): Promise<number> {
  await using models = openModels();
  await using cache = openAnalysisCache({ folder: join(folder, "cache"), sidekicks, sealKey: randomBytes(32) });
  const context = { jurisdictions: ["UK"], channel: "tv" };
  const request = { file, mediaType: { contentType, category }, sidekicks, context, wantsEvidence: true };
  const options = { models, cache, memoryBytes: 2 * 2 ** 30, timeoutSeconds: 600 };
  await runAnalysisInChild(request, options);
  const startedAt = performance.now();
  await runAnalysisInChild(request, options);
  return (performance.now() - startedAt) / 1000;
}

/** A film with eight supers, a minute's worth of words and the curves of every frame. */
function makeAd(texts: readonly string[], index: number): Evidence {
  const lines = Array.from({ length: 8 }, (_, line) => texts[(index * 8 + line) % texts.length] ?? "");
  const curve = (height: number) =>
    Array.from({ length: frames }, (_, frame) => height * Math.abs(Math.sin(frame + index)));
  return {
    ...emptyEvidence(filmProbe),
    black: [],
    freezes: [],
    silences: [],
    loudness: {
      integratedLufs: -23,
      maxShortTermLufs: -20,
      maxMomentaryLufs: -18,
      rangeLu: 4,
      truePeakDbtp: -3,
      curve: { startSeconds: 0, stepSeconds: 0.1, momentaryLufs: curve(-23), shortTermLufs: curve(-22) },
    },
    flashes: {
      notJudged: null,
      maxGeneralPerSecond: 0,
      maxRedPerSecond: 0,
      wcag: { maxGeneralPerSecond: 0, maxRedPerSecond: 0 },
      sequences: [],
      curve: { stepSeconds: 0.04, luminance: curve(200), generalPerSecond: curve(1), redPerSecond: curve(1) },
    },
    supers: {
      supers: lines.map((text, line) =>
        makeSuper(text.slice(0, 80), { startSeconds: line * 3.5, endSeconds: line * 3.5 + 3 }),
      ),
      readerCalls: 8,
    },
    speech: {
      segments: lines.map((text, line) => ({
        startSeconds: line * 3,
        endSeconds: line * 3 + 3,
        text: text.slice(0, 120),
        confidence: 0.9,
        isDoubtful: false,
      })),
      notJudged: null,
    },
    captions: { tracks: [] },
  };
}
