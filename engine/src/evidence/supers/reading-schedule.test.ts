import assert from "node:assert/strict";
import { test } from "node:test";
import { createLookPlan } from "./reading-schedule.ts";

const seconds = 60;

/** Something new in a third of the rows every half second, of which the reader makes out `textAt`. */
function runPlan(textAt: (second: number) => string) {
  const plan = createLookPlan({ width: 1280, height: 720 });
  const news = [{ top: 260, bottom: 460 }];
  let isRead = true;
  let looks = 0;
  for (let frame = 0; frame < seconds * 12.5; frame += 1) {
    const at = frame / 12.5;
    if (frame % 6 === 0) isRead = false;
    const watched = { news: isRead ? [] : news, faint: [], changed: 0, isCut: false };
    const strips = plan.choose({ seconds: at, watched, tracks: [] });
    if (strips.length === 0) continue;
    isRead = true;
    looks += 1;
    plan.note({ seconds: at, strips, found: "new", texts: [textAt(at)] });
  }
  return { looks, missedSeconds: plan.missed().reduce((sum, span) => sum + span.endSeconds - span.startSeconds, 0) };
}

const words = [
  "lose",
  "ten",
  "kilos",
  "in",
  "one",
  "week",
  "with",
  "our",
  "new",
  "tea",
  "that",
  "cures",
  "cancer",
  "and",
];

test("new words are read for as long as they come", () => {
  const { looks, missedSeconds } = runPlan((at) => words[Math.floor(at * 2) % words.length] ?? "");

  assert.equal(missedSeconds, 0);
  assert.ok(looks > 1.9 * seconds, `${looks} looks`);
});

test("a clock does not keep the reader busy, with or without a word beside it, and it is told what was missed", () => {
  for (const textAt of [(at: number) => at.toFixed(1), (at: number) => `Time ${at.toFixed(1)}`]) {
    const { looks, missedSeconds } = runPlan(textAt);

    assert.ok(looks < 1.9 * seconds, `${looks} looks`);
    assert.ok(missedSeconds > 2, `${missedSeconds} s`);
  }
});

/** Whether a line is looked at that comes between two cuts of a film full of texture that is taken for letters. */
function isSeenFrom(from: number): boolean {
  const plan = createLookPlan({ width: 1280, height: 720 });
  const line = { top: 600, bottom: 650 };
  for (let frame = 0; frame < 30 * 12.5; frame += 1) {
    const at = frame / 12.5;
    const isThere = at >= from && at < from + 0.48;
    const texture = { top: (frame * 97) % 500, bottom: ((frame * 97) % 500) + 16 };
    const isCut = frame % 10 === 0;
    const watched = { news: isThere ? [texture, line] : [texture], faint: [], changed: 0, isCut };
    const strips = plan.choose({ seconds: at, watched, tracks: [] });
    if (strips.length === 0) continue;
    if (isThere && strips.some(({ top, bottom }) => top <= line.top && bottom >= line.bottom)) return true;
    plan.note({ seconds: at, strips, found: "nothing", texts: [] });
  }
  return false;
}

test("a line that stands is looked at between two cuts, however little the looks before have found", () => {
  for (const from of [8.24, 12.24, 16.24, 20.24, 24.24]) assert.ok(isSeenFrom(from), `from ${from} s`);
});
