import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EvidenceKey } from "@greenlit/engine/evidence/evidence.ts";
import { gatherEvidence } from "@greenlit/engine/evidence/gather.ts";
import { describeOmissions } from "@greenlit/engine/evidence/omissions.ts";
import type { MediaType } from "@greenlit/engine/evidence/probe/media-type.ts";
import { probeFile } from "@greenlit/engine/evidence/probe/probe.ts";
import type { Models } from "@greenlit/engine/models/models.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import { faultsOf } from "@greenlit/engine/testing/evasive-faults.ts";
import { evasiveDocuments } from "../../../engine/golden/documents/evasive.ts";
import { atLeast, atMost, type Bench, rounded, say } from "../report.ts";
import { makeSpeechClips } from "./speech-kit.ts";

/** A segment with more wrong words than this must be doubtful. */
const maxWrongShare = 0.25;

export const benchHearing: Bench = {
  about: "What is heard of a kit of spoken clips, and read of a kit of evasive documents, whose truth is known.",
  async run(stack) {
    const models = stack.use(openModels());
    const speech = await hearClips(models);
    const documents = await readDocuments(models);
    return {
      bars: [
        atLeast("share of the badly heard clips that are doubtful", speech.badDoubted / Math.max(1, speech.bad), 0.9),
        atMost("share of the well heard clips that are doubtful", speech.goodDoubted / Math.max(1, speech.good), 0.1),
        atMost("clips in another language with words that nobody said", speech.invented, 0),
        atMost("evasive documents that are misread in silence", documents.misread, 0),
      ],
      figures: { speech, documents },
    };
  },
};

async function hearClips(models: Models) {
  const tally = { clips: 0, bad: 0, badDoubted: 0, good: 0, goodDoubted: 0, foreign: 0, invented: 0 };
  using kit = makeSpeechClips();
  if (kit === null) {
    say("espeak-ng or sox is not installed: no speech was made.");
    return tally;
  }
  for (const { name, language, text, wav } of kit.clips) {
    const { speech, omissions } = await gather(models, wav, "speech", { contentType: "audio/wav", category: "audio" });
    const segments = speech?.segments ?? [];
    const heard = segments.map((segment) => segment.text).join(" ");
    const isDoubted = segments.some(({ isDoubtful }) => isDoubtful) || omissions.length > 0;
    const wrong = wrongShare(text, heard);
    tally.clips += 1;
    if (language !== "en") {
      tally.foreign += 1;
      if (heard.trim() === "" && omissions.length > 0) continue;
      tally.invented += 1;
      say(`invented   ${name}: ${heard}`);
    } else if (wrong > maxWrongShare) {
      tally.bad += 1;
      if (isDoubted) tally.badDoubted += 1;
      else say(`believed   ${name}: ${rounded(wrong)} wrong: ${heard}`);
    } else {
      tally.good += 1;
      if (isDoubted) tally.goodDoubted += 1;
      if (isDoubted) say(`doubted    ${name}: ${rounded(wrong)} wrong: ${heard}`);
    }
  }
  return tally;
}

async function readDocuments(models: Models) {
  const folder = await mkdtemp(join(tmpdir(), "greenlit-evasive-"));
  const tally = { documents: 0, misread: 0 };
  for (const document of await evasiveDocuments()) {
    const file = join(folder, document.name);
    await writeFile(file, document.bytes);
    const mediaType = { contentType: document.contentType, category: "document" } as const;
    const { document: found, omissions } = await gather(models, file, "document", mediaType);
    const faults = found === null ? ["not read"] : faultsOf(document, { found, omissions });
    tally.documents += 1;
    if (faults.length > 0) tally.misread += 1;
    for (const fault of faults) say(`misread    ${document.name}: ${fault}`);
  }
  await rm(folder, { recursive: true });
  return tally;
}

async function gather(models: Models, file: string, key: EvidenceKey, mediaType: MediaType) {
  const probe = await probeFile({ file, mediaType });
  const limits = { maxDurationSeconds: 600, signal: undefined, onProgress: () => undefined };
  const evidence = await gatherEvidence({ file, mediaType, probe, needs: new Set([key]), models, ...limits });
  return { ...evidence, omissions: describeOmissions(evidence) };
}

/** Wrong, missing and additional words, as a share of those that were said. */
function wrongShare(said: string, heard: string): number {
  const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9']+/g) ?? [];
  const [wanted, found] = [wordsOf(said), wordsOf(heard)];
  let row = Array.from({ length: found.length + 1 }, (_, index) => index);
  for (const [i, word] of wanted.entries()) {
    const next = [i + 1];
    for (const [j, other] of found.entries()) {
      next.push(Math.min((row[j] ?? 0) + (word === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) / Math.max(1, wanted.length);
}
