import { readTextFile } from "@greenlit/engine/models/meaning/training-texts.ts";
import type { Pack } from "@greenlit/engine/rules/load-packs.ts";
import { type Measured, measureTexts } from "@greenlit/engine/rules/measure-texts.ts";
import { rounded, say } from "../report.ts";

/** A share with the interval that it lies in at 95 % (Wilson): a set of 400 texts proves no third digit. */
type Share = { of: number; count: number; share: number; low: number; high: number };

export type TextFigures = {
  recall: Share;
  recallByAnyRule: Share;
  falseAlarms: Share;
  byTopic: Record<string, { recall: Share; falseAlarms: Share }>;
};

/** Texts that nobody tuned against; says the figures and never the texts, so that the set stays blind. */
export async function measureBlind(packs: readonly Pack[], file: string): Promise<TextFigures> {
  const figures = figuresOf(measureTexts(packs, await readTextFile(file)));
  sayFigures("blind", figures);
  return figures;
}

function figuresOf(measured: readonly Measured[]): TextFigures {
  const offending = measured.filter(({ isOffending }) => isOffending);
  const honest = measured.filter(({ isOffending }) => !isOffending);
  const topics = [...new Set(measured.map(({ topic }) => topic))].toSorted();
  return {
    recall: shareOf(offending, ({ isFound }) => isFound),
    recallByAnyRule: shareOf(offending, ({ isAlarmed }) => isAlarmed),
    falseAlarms: shareOf(honest, ({ isAlarmed }) => isAlarmed),
    byTopic: Object.fromEntries(
      topics.map((topic) => [
        topic,
        {
          recall: shareOf(
            offending.filter((text) => text.topic === topic),
            ({ isFound }) => isFound,
          ),
          falseAlarms: shareOf(
            honest.filter((text) => text.topic === topic),
            ({ isAlarmed }) => isAlarmed,
          ),
        },
      ]),
    ),
  };
}

function sayFigures(name: string, { recall, recallByAnyRule, falseAlarms, byTopic }: TextFigures): void {
  say(`${name}: recall ${describe(recall)}; by any rule ${describe(recallByAnyRule)}`);
  say(`${name}: false alarms above INFO ${describe(falseAlarms)}`);
  for (const [topic, figures] of Object.entries(byTopic))
    say(`  ${topic.padEnd(30)} recall ${describe(figures.recall)}  false alarms ${describe(figures.falseAlarms)}`);
}

function describe({ of, count, share, low, high }: Share): string {
  return of === 0 ? "–" : `${share.toFixed(3)} (${count} of ${of}; ${low.toFixed(2)} to ${high.toFixed(2)})`;
}

function shareOf(texts: readonly Measured[], isCounted: (text: Measured) => boolean): Share {
  const of = texts.length;
  const count = texts.filter(isCounted).length;
  if (of === 0) return { of, count, share: 0, low: 0, high: 1 };
  const z = 1.96;
  const share = count / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return {
    of,
    count,
    share: rounded(share),
    low: rounded(Math.max(0, middle - half)),
    high: rounded(Math.min(1, middle + half)),
  };
}
