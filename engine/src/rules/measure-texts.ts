import type { TrainingText } from "../models/meaning/training-texts.ts";
import type { Finding } from "../finding.ts";
import type { Pack } from "./load-packs.ts";
import { judgeWithAll } from "./self-test.ts";

/** What the engine makes of one labelled text, by the rules that speak above INFO. */
export type Measured = {
  topic: string;
  isOffending: boolean;
  /** By a rule of the text's own topic. */
  isFound: boolean;
  isAlarmed: boolean;
  alarms: Finding[];
};

/** Judges labelled texts as a submission with their context would be: all packs, plan and judgement included. */
export function measureTexts(packs: readonly Pack[], texts: readonly TrainingText[]): Measured[] {
  const sidekicks = packs.map(({ sidekick }) => sidekick);
  const topics = new Map(sidekicks.flatMap(({ rules }) => rules.map(({ code, topic }) => [code, topic] as const)));
  return texts.map(({ topic, label, text, jurisdictions, sector, channel }) => {
    const context = {
      jurisdictions,
      ...(sector === undefined ? {} : { sector }),
      ...(channel === undefined ? {} : { channel }),
    };
    const findings = judgeWithAll(sidekicks, { text, context, on: "document" });
    const alarms = findings.filter(({ severity }) => severity !== "INFO");
    return {
      topic,
      isOffending: label === "offending",
      isFound: alarms.some(({ ruleCode }) => topics.get(ruleCode) === topic),
      isAlarmed: alarms.length > 0,
      alarms,
    };
  });
}
