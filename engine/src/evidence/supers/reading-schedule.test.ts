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
