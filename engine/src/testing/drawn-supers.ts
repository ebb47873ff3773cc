import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { editDistance } from "../edit-distance.ts";
import type { Super } from "../evidence/evidence.ts";

type DrawnSuper = Pick<Super, "text" | "startSeconds" | "endSeconds" | "heightLines" | "contrastRatio" | "isMoving">;

/** The golden films whose supers are known, as they were drawn. */
export async function readDrawnSupers(): Promise<Record<string, DrawnSuper[]>> {
  const truth = await readFile(new URL("../../golden/truth-supers.json", import.meta.url), "utf8");
  return (JSON.parse(truth) as { clips: Record<string, DrawnSuper[]> }).clips;
}

export function assertReadAsDrawn(found: readonly Super[], expected: readonly DrawnSuper[]): void {
  for (const wanted of expected) {
    const away = ({ startSeconds }: Super) => Math.abs((startSeconds ?? 0) - (wanted.startSeconds ?? 0));
    const nearest = found.toSorted(
      (a, b) => distance(a.text, wanted.text) - distance(b.text, wanted.text) || away(a) - away(b),
    )[0];
    assert.ok(nearest, `nothing was read for “${wanted.text}”`);
    const wrong = distance(nearest.text, wanted.text) / wanted.text.length;
    assert.ok(
      wrong <= 0.02 || distance(nearest.text, wanted.text) <= 1,
      `“${wanted.text}” was read as “${nearest.text}”`,
    );
    assert.equal(nearest.isMoving, wanted.isMoving, wanted.text);
    within(nearest.startSeconds, wanted.startSeconds, 0.12, `start of “${wanted.text}”`);
    within(nearest.endSeconds, wanted.endSeconds, 0.12, `end of “${wanted.text}”`);
    // Where only colour tells letters from their ground, there are half as many lines to measure by.
    const lines = (wanted.contrastRatio ?? Infinity) < 1.5 ? 4 : 2;
    within(nearest.heightLines, wanted.heightLines, lines, `height of “${wanted.text}”`);
    if (wanted.contrastRatio !== null) {
      within(nearest.contrastRatio, wanted.contrastRatio, wanted.contrastRatio * 0.1, `contrast of “${wanted.text}”`);
    }
  }
  assert.equal(found.length, expected.length, `read: ${found.map(({ text }) => text).join(" | ")}`);
}

function within(value: number | null, wanted: number | null, tolerance: number, what: string): void {
  assert.ok(
    value !== null && wanted !== null && Math.abs(value - wanted) <= tolerance + 1e-6,
    `${what}: ${value}, should be ${wanted} ± ${tolerance}`,
  );
}

/** Line breaks count as spaces. */
function distance(a: string, b: string): number {
  return editDistance(a.replaceAll(/\s+/g, " "), b.replaceAll(/\s+/g, " "));
}
