import type { Finding } from "@greenlit/engine/finding.ts";
import type { Context } from "@greenlit/engine/sidekick.ts";
import type { App } from "../app.ts";

export type Proposal = { finding: Finding; rewording: string };

/**
 * Which proposals the rules would take: judged as if the words stood in the asset, the rule finds less than before, no
 * other rule finds more, and none that still finds something there finds it in the new words as well: a rule counts a
 * phrase once, however often it is used. What cannot be tried does not pass.
 */
export async function checkRewordings(
  app: App,
  options: { proposals: readonly Proposal[]; evidence: Buffer; sidekickIds: readonly string[]; context: Context },
): Promise<boolean[]> {
  const { proposals, evidence, sidekickIds, context } = options;
  if (proposals.length === 0) return [];
  const request = { sidekickIds, context, today: app.now().toISOString().slice(0, 10) };
  const [before, ...after] = await app.judges.judge(evidence, [
    request,
    ...proposals.flatMap(({ finding, rewording }) => {
      const replaced = { quote: finding.location?.quote ?? "", by: rewording };
      return [
        { ...request, rewording: replaced },
        { ...request, rewording: { ...replaced, isAlone: true } },
      ];
    }),
  ]);
  if (!before) return proposals.map(() => false);
  const counts = countByRule(before.findings);
  return proposals.map(({ finding: { ruleCode } }, index) => {
    const [result, alone] = after.slice(index * 2, index * 2 + 2);
    if (!result?.isReworded || !alone) return false;
    const then = countByRule(result.findings);
    const isLess = (then.get(ruleCode) ?? 0) < (counts.get(ruleCode) ?? 0);
    const isNew = ([code, count]: [string, number]) => count > (counts.get(code) ?? 0);
    const isRepeated = ({ ruleCode, location }: Finding) => location?.quote && then.has(ruleCode);
    return isLess && ![...then].some(isNew) && !alone.findings.some(isRepeated);
  });
}

function countByRule(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { ruleCode } of findings) counts.set(ruleCode, (counts.get(ruleCode) ?? 0) + 1);
  return counts;
}
