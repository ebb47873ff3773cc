import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { compareFile } from "@greenlit/engine/print/compare-file.ts";
import { packPrint, unpackPrint } from "@greenlit/engine/print/pack-print.ts";
import { printFile } from "@greenlit/engine/print/print-file.ts";
import type { Print } from "@greenlit/engine/print/print.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import { atLeast, atMost, type Bench, rounded, say } from "../report.ts";
import { makeMaster, makePair } from "./make-pairs.ts";
import { type Pair, pairsOf } from "./pairs.ts";
import { type Scene, scenes } from "./scenes.ts";

const types: Readonly<Record<string, string>> = {
  mp4: "video/mp4",
  mkv: "video/x-matroska",
  ts: "video/mp2t",
  mov: "video/quicktime",
  webm: "video/webm",
};

type Outcome = { name: string; isHonest: boolean; match: string; seconds: number; why: string };

export const benchVerify: Bench = {
  about: "Pairs of a master and a derived film: altered ones called the same, honest ones called altered.",
  async run() {
    const outcomes: Outcome[] = [];
    const printBytes: Record<string, number> = {};
    for (const scene of scenes) {
      const packed = packPrint(await printMaster(scene));
      printBytes[scene.name] = packed.length;
      const master = unpackPrint(packed);
      const waiting = pairsOf(scene);
      await Promise.all(
        Array.from({ length: availableParallelism() }, async () => {
          for (let pair = waiting.shift(); pair !== undefined; pair = waiting.shift())
            outcomes.push(await compareOne(scene, master, pair));
        }),
      );
      say(`${scene.name}: ${outcomes.length} pairs so far`);
    }
    const isSame = ({ match }: Outcome) => match.startsWith("SAME") || match === "IDENTICAL";
    const honest = outcomes.filter((one) => one.isHonest);
    const altered = outcomes.filter((one) => !one.isHonest);
    const missed = altered.filter(isSame);
    const alarmed = honest.filter((one) => !isSame(one));
    for (const { name, match, why } of [...missed, ...alarmed]) say(`${name}: ${match} ${why}`);
    const copied = honest.filter(({ name }) => name.includes("copied"));
    return {
      bars: [
        atLeast("pairs", outcomes.length, 200),
        atMost("altered files called the same", missed.length, 0),
        atMost("share of honest files called altered", alarmed.length / honest.length, 0.02),
        atLeast(
          "share of copies into other containers called the same essence",
          copied.filter(({ match }) => match === "SAME_ESSENCE").length / copied.length,
          1,
        ),
      ],
      figures: {
        honest: honest.length,
        altered: altered.length,
        secondsAPair: rounded(outcomes.reduce((sum, { seconds }) => sum + seconds, 0) / outcomes.length),
        printBytes,
        wrong: [...missed, ...alarmed].map(({ name, match }) => `${name}: ${match}`),
      },
    };
  },
};

async function sourceOf(file: string, extension: string) {
  const sha256 = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  return { file, sha256, mediaType: { contentType: types[extension] ?? "", category: "video" as const } };
}

async function printMaster(scene: Scene): Promise<Print> {
  await using models = openModels();
  const { print } = await printFile({ ...(await sourceOf(await makeMaster(scene), "mp4")), models });
  return { ...print, supers: [], words: [], captions: [], findings: [] };
}

async function compareOne(scene: Scene, master: Print, pair: Pair): Promise<Outcome> {
  const source = await sourceOf(await makePair(scene, pair), pair.extension);
  await using models = openModels();
  const startedAt = performance.now();
  const { match, differences } = await compareFile(master, { ...source, models });
  return {
    name: `${scene.name}, ${pair.name}`,
    isHonest: pair.isHonest,
    match,
    seconds: (performance.now() - startedAt) / 1000,
    why: differences.map(({ message }) => message).join(" "),
  };
}
