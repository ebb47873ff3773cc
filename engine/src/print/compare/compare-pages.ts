import type { ContentPrint } from "../make-print.ts";
import type { PagePrint, PicturePrint } from "../print.ts";
import { compareFrames } from "./compare-frames.ts";
import { compareGrid } from "./compare-grid.ts";
import { type Comparison, type Difference, difference } from "./comparison.ts";
import { fitLevels } from "./fit-levels.ts";
import { limits } from "./limits.ts";

/** Two pictures that do not move. */
export function compareStills(master: PicturePrint, other: PicturePrint): Comparison {
  const differences: Difference[] = [];
  const shapes = [master, other].map(({ displayWidth, displayHeight }) => displayWidth / displayHeight);
  if (Math.abs((shapes[0] ?? 1) / (shapes[1] ?? 1) - 1) > 0.02)
    differences.push(difference("picture", "It has another shape: it was cropped or stretched."));
  if (differences.length > 0) return { match: "ALTERED", offsetSeconds: 0, differences, notes: [], figures: {} };
  const levels = fitLevels(master, other, 0);
  const frames = compareFrames(master, other, { offsetSeconds: 0, limit: limits.frame, levels });
  const grid = compareGrid(master, other, limits.still);
  const figures = { once: grid.largest[0], noise: grid.noise, frameExcess: frames.largestExcess };
  if (frames.largestExcess > limits.frame)
    differences.push(difference("picture", "Light or colour of a large part is another."));
  if (grid.noise > limits.noise) differences.push(difference("picture", "The picture is too poor to be compared."));
  for (const { region } of grid.changes.slice(0, 50))
    differences.push(difference("picture", "A part of the picture shows something else.", { region }));
  return { match: verdictOf(differences, grid.noise > 30), offsetSeconds: 0, differences, notes: [], figures };
}

function verdictOf(differences: readonly Difference[], isOther: boolean): Comparison["match"] {
  if (differences.length === 0) return "SAME_CONTENT";
  return isOther ? "DIFFERENT" : "ALTERED";
}

/** `unknown`: its pictures and its layout count too, and we cannot draw them. */
export type DocumentLooks = "drawn" | "words alone" | "unknown";

/** Documents, by their words and by how their pages look. */
export function comparePages(master: ContentPrint, other: ContentPrint, looks: DocumentLooks): Comparison {
  const [before, after] = [master.pages ?? [], other.pages ?? []];
  const differences: Difference[] = [];
  if (looks === "unknown")
    differences.push(
      difference("picture", "It is another file, and how it looks cannot be compared. A person must look at both."),
    );
  if (before.length !== after.length)
    differences.push(difference("text", `It has ${after.length} page(s) instead of ${before.length}.`));
  let same = 0;
  for (const [index, page] of before.entries()) {
    const twin = after[index];
    if (twin === undefined) continue;
    const words = changedWords(page.text, twin.text);
    if (words !== null)
      differences.push(difference("text", `“${words.before}” became “${words.after}”.`, { page: index + 1 }));
    else same += 1;
    const region = looks === "drawn" ? changedRegion(page, twin) : null;
    if (region === "unknown")
      differences.push(difference("picture", "This page could not be compared by its looks.", { page: index + 1 }));
    else if (region !== null)
      differences.push(difference("picture", "A part of the page looks different.", { page: index + 1, region }));
  }
  const isOther =
    before.length > 0 &&
    same === 0 &&
    before.every(({ text }, index) => alikeness(text, after[index]?.text ?? "") < 0.3);
  return {
    match: verdictOf(differences, isOther),
    offsetSeconds: 0,
    differences: differences.slice(0, 200),
    notes: [],
    figures: {},
  };
}

/** The words that differ, between those that are alike at both ends. Null: none does. */
export function changedWords(before: string, after: string): { before: string; after: string } | null {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  if (start === a.length && start === b.length) return null;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const part = (words: string[]) =>
    words
      .slice(start, words.length - end)
      .join(" ")
      .slice(0, 200);
  return { before: part(a), after: part(b) };
}

function wordsOf(text: string): string[] {
  return text
    .normalize("NFC")
    .split(/\s+/)
    .filter((word) => word !== "");
}

function alikeness(a: string, b: string): number {
  const [one, two] = [new Set(wordsOf(a)), new Set(wordsOf(b))];
  if (one.size === 0 || two.size === 0) return one.size === two.size ? 1 : 0;
  return one.intersection(two).size / Math.min(one.size, two.size);
}

const pageLimit = 40;

function changedRegion(a: PagePrint, b: PagePrint) {
  if (a.picture === null || b.picture === null) return "unknown" as const;
  const { width, height, pixels } = a.picture;
  if (Math.abs(width - b.picture.width) > 1 || Math.abs(height - b.picture.height) > 1)
    return { x: 0, y: 0, width: 1, height: 1 };
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let row = 0; row < Math.min(height, b.picture.height); row++)
    for (let column = 0; column < Math.min(width, b.picture.width); column++) {
      const difference = Math.abs(
        (pixels[row * width + column] as number) - (b.picture.pixels[row * b.picture.width + column] as number),
      );
      if (difference < pageLimit) continue;
      [left, right] = [Math.min(left, column), Math.max(right, column)];
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
    }
  if (right < 0) return null;
  return { x: left / width, y: top / height, width: (right + 1 - left) / width, height: (bottom + 1 - top) / height };
}
