import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TrainingText, textsFolder } from "./training-texts.ts";
import { wordsOf } from "./word-features.ts";

type Example = { id: string; text: string; keys: ReadonlySet<number> };

const examples = new Map<string, Example[]>();
const minLength = 12;

/** The offending text of the topic that shares most of its words: people judge a case by a like one. */
export function nearestExample(words: readonly { key: number }[], topic: string): { id: string; text: string } | null {
  const keys = new Set(words.map(({ key }) => key));
  let best: { example: Example; likeness: number } | null = null;
  for (const example of examplesOf(topic)) {
    let shared = 0;
    for (const key of example.keys) if (keys.has(key)) shared += 1;
    const likeness = shared / Math.sqrt(Math.max(1, example.keys.size * keys.size));
    if (best === null || likeness > best.likeness) best = { example, likeness };
  }
  return best === null ? null : { id: best.example.id, text: best.example.text };
}

function examplesOf(topic: string): Example[] {
  const known = examples.get(topic);
  if (known !== undefined) return known;
  const made = readLines(topic)
    .filter(({ label, text }) => label === "offending" && text.length >= minLength)
    .map(({ id, text }) => ({ id, text, keys: new Set(wordsOf(text).map(({ key }) => key)) }));
  examples.set(topic, made);
  return made;
}

function readLines(topic: string): TrainingText[] {
  return readFileSync(join(textsFolder, `${topic}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TrainingText);
}
