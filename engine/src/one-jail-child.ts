import { readFileSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { join, relative } from "node:path";
import { startupSnapshot } from "node:v8";
import { AnalysisError } from "./analysis-error.ts";
import { analyze } from "./analyze.ts";
import { forbidJails } from "./jail/jail.ts";
import { runWorkersHere } from "./jail/run-here.ts";
import { sourceFolder } from "./jail/worker-code.ts";
import { type Ask, modelsBy } from "./models/calls.ts";
import { connectModels } from "./models/connect-models.ts";
import { releaseWeights } from "./models/meaning/meaning-model.ts";
import type { OneJailMessage, OneJailTask } from "./one-jail.ts";
import { rehearseRules } from "./rules/judge.ts";
import { runRulesUnwatched } from "./rules/run-rules.ts";
import { releasePhrases } from "./rules/rule-lexicons.ts";
import { afterAllStartDates, evidenceOf } from "./rules/self-test.ts";
import type { Sidekick } from "./sidekick.ts";
import { assetText } from "./text/asset-text.ts";
import { keepRequiredLiterals } from "./text/required-literals.ts";

/**
 * The program that one-jail.ts starts: a whole analysis in one jail. It starts from a snapshot of itself, taken when all
 * of this is loaded and the rules are ready, so that a file pays for none of it. Below is what happens before the
 * snapshot; `main` is what happens after.
 */
const cacheFolder = process.argv[2] ?? "";
const packs = JSON.parse(readFileSync(join(cacheFolder, "packs.json"), "utf8"), shareEqual()) as Sidekick[];

/** What may read a file in here. */
const workers: Record<string, () => Promise<unknown>> = {
  "evidence/probe/probe-document-worker.ts": () => import("./evidence/probe/probe-document-worker.ts"),
  "evidence/probe/probe-image-worker.ts": () => import("./evidence/probe/probe-image-worker.ts"),
  "evidence/documents/document-worker.ts": () => import("./evidence/documents/document-worker.ts"),
  "evidence/images/image-worker.ts": () => import("./evidence/images/image-worker.ts"),
  "evidence/metadata/metadata-worker.ts": () => import("./evidence/metadata/metadata-worker.ts"),
};

/** Ours: nothing in here comes from outside. No phone number: the library that reads it cannot be part of a snapshot. */
const sample = `Lose 10 kg in two weeks, guaranteed! Our clinically proven capsules cure arthritis. 100 % natural.
Invest £500 today and double your money, risk free. Offer ends tonight. Representative 49.9 % APR.
Terms and conditions apply. See example.com.`;

/**
 * For JSON.parse: lists, lexicons and citations that are equal become one. The more there is in a snapshot, the longer
 * each file waits for it. Rules and sidekicks stay apart: what is known about one is kept by what it is.
 */
function shareEqual(): (key: string, value: unknown) => unknown {
  const known = new Map<string, unknown>();
  return (_key, value) => {
    if (typeof value !== "object" || value === null || "rules" in value || "check" in value) return value;
    const text = JSON.stringify(value);
    if (!known.has(text)) known.set(text, value);
    return known.get(text);
  };
}

void rehearse().then(() => startupSnapshot.setDeserializeMainFunction(() => void main()));

/** Goes the whole way of a file once, so that the code of it is compiled and what the rules need is there. */
async function rehearse(): Promise<void> {
  forbidJails();
  runRulesUnwatched();
  runWorkersHere(async (module) => workers[relative(sourceFolder, module)]?.());
  const evidence = evidenceOf({ text: sample, on: "document", context: {} });
  rehearseRules(packs, { evidence, text: assetText(evidence), context: {}, today: afterAllStartDates });
  const file = join(cacheFolder, "sample.txt");
  writeFileSync(file, sample);
  const mediaType = { contentType: "text/plain", category: "document" } as const;
  const wanted = { wantsFrames: true, wantsEvidence: true, wantsPrint: { sha256: "0".repeat(64) } };
  await analyze({ file, mediaType, sidekicks: packs, context: {}, ...wanted });
  rmSync(file);
  keepRequiredLiterals(join(cacheFolder, "required-literals.json"));
  releaseWeights();
  releasePhrases();
}

/**
 * The task and the answer are on descriptor 3, the models on descriptor 4. Whatever cannot be done in here ends the
 * process, and the file is analysed the long way.
 */
async function main(): Promise<void> {
  const { request, hasModels } = JSON.parse(readTask()) as OneJailTask;
  const { sidekickIds, ...rest } = request;
  const sidekicks = sidekickIds.flatMap((id) => packs.find(({ sidekickId }) => sidekickId === id) ?? []);
  const models = hasModels ? modelsBy(connectWhenAsked()) : undefined;
  try {
    send({ result: await analyze({ ...rest, file: process.argv.at(-1) ?? "", sidekicks }, { models }) });
  } catch (error) {
    // Anything else is for the long way to explain.
    if (!(error instanceof AnalysisError) || error.isRetryable) throw error;
    const cause = error.cause instanceof Error ? error.cause.message : "";
    send({ error: { errorType: error.errorType, message: error.message, cause } });
  }
  // Our parent kills us now. One that was killed itself before it could bind us to its life does not.
  setTimeout(() => process.exit(), 60_000);
}

/** A text asks nothing, and what a pipe needs takes a while to load. */
function connectWhenAsked(): Ask {
  let ask: Ask | undefined;
  return (request) => {
    ask ??= connectModels(new Socket({ fd: 4, readable: true, writable: true }));
    return ask(request);
  };
}

function readTask(): string {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = Buffer.alloc(2 ** 16);
    const taken = piece.subarray(0, readSync(3, piece));
    pieces.push(taken);
    if (taken.length === 0 || taken.at(-1) === 10) return Buffer.concat(pieces).toString("utf8");
  }
}

function send(message: OneJailMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  let written = 0;
  while (written < bytes.length) written += writeSync(3, bytes, written);
}
