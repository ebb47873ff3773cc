import { severities, type Finding, type Location, type Severity } from "./finding.ts";

export const topicsAlgorithm = { algorithm: "claim-rule-moment", algorithmVersion: "2" };

export type TopicIssue = { id: string; ruleCode: string } & Pick<
  Finding,
  "severity" | "summary" | "ruleSummary" | "sidekickId" | "sidekickName" | "location"
>;

export type Topic = {
  title: string;
  summary: string;
  severity: Severity;
  issueIds: string[];
  ruleCodes: string[];
};

/**
 * Groups issues that a reviewer would deal with together. First those about the same words or the same super, whatever
 * rules they break; of the rest, those of the same rule; of the rest, those of one sidekick at the same moment. Each step
 * only sees what the one before left over, so that no chain of likenesses ties everything together. The same issues in
 * the same order give the same topics.
 */
export function clusterTopics(issues: readonly TopicIssue[]): { topics: Topic[]; orphanIds: string[] } {
  const claims = splitGroups(issues, isSameClaim);
  const rules = splitGroups(claims.single, (a, b) => a.ruleCode === b.ruleCode);
  const moments = splitGroups(rules.single, isSameMoment);
  const topics = [
    ...claims.groups.map((group) => describe(group, titleOfClaim(group))),
    ...rules.groups.map((group) => describe(group, titleOfRule(group))),
    ...moments.groups.map((group) => describe(group, titleOfMoment(group))),
  ];
  return {
    topics: topics.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)),
    orphanIds: moments.single.map(({ id }) => id),
  };
}

type Likeness = (a: TopicIssue, b: TopicIssue) => boolean;

/** Each issue joins the first group that has one like it. */
function splitGroups(issues: readonly TopicIssue[], isAlike: Likeness) {
  const all: TopicIssue[][] = [];
  for (const issue of issues) {
    const home = all.find((group) => group.some((other) => isAlike(issue, other)));
    if (home === undefined) all.push([issue]);
    else home.push(issue);
  }
  return {
    groups: all.filter((group) => group.length > 1),
    single: all.filter((group) => group.length === 1).flat(),
  };
}

function isSameClaim({ location: a }: TopicIssue, { location: b }: TopicIssue): boolean {
  if (a === null || b === null || a.quote === null || b.quote === null) return false;
  const [one, other] = [lettersOf(a.quote), lettersOf(b.quote)];
  if (one === "" || other === "") return false;
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return (short.length >= 8 && long.includes(short)) || (isSameSuper(a, b) && overlapShare(a, b) >= 0.5);
}

function isSameSuper(a: Location, b: Location): boolean {
  if (a.region === null || b.region === null || a.startSeconds === null) return false;
  const width = Math.min(a.region.x + a.region.width, b.region.x + b.region.width) - Math.max(a.region.x, b.region.x);
  const height =
    Math.min(a.region.y + a.region.height, b.region.y + b.region.height) - Math.max(a.region.y, b.region.y);
  const least = Math.min(a.region.width * a.region.height, b.region.width * b.region.height);
  return width > 0 && height > 0 && width * height >= 0.7 * least;
}

function isSameMoment(a: TopicIssue, b: TopicIssue): boolean {
  return a.sidekickId === b.sidekickId && a.location !== null && b.location !== null
    ? overlapShare(a.location, b.location) >= 0.5
    : false;
}

/** How much of the shorter of two stretches of time lies in the other. */
function overlapShare(a: Location, b: Location): number {
  if (a.startSeconds === null || a.endSeconds === null || b.startSeconds === null || b.endSeconds === null) return 0;
  const shared = Math.min(a.endSeconds, b.endSeconds) - Math.max(a.startSeconds, b.startSeconds);
  const shorter = Math.min(a.endSeconds - a.startSeconds, b.endSeconds - b.startSeconds);
  return shorter > 0 ? shared / shorter : 0;
}

function titleOfClaim(group: TopicIssue[]): string {
  const quotes = group.flatMap(({ location }) => (location?.quote ? [location.quote] : []));
  const longest = quotes.toSorted((a, b) => b.length - a.length)[0] ?? "";
  const quote = longest.length <= 70 ? longest : `${longest.slice(0, 69).trimEnd()}…`;
  return `“${quote}”: ${group.length} problems with the same words`;
}

function titleOfRule([first, ...others]: TopicIssue[]): string {
  return `${first?.ruleSummary ?? ""}, in ${others.length + 1} places`;
}

function titleOfMoment(group: TopicIssue[]): string {
  const starts = group.map(({ location }) => location?.startSeconds ?? 0);
  const ends = group.map(({ location }) => location?.endSeconds ?? 0);
  const from = Math.min(...starts).toFixed(1);
  return `${group[0]?.sidekickName ?? ""}: ${group.length} problems from ${from} s to ${Math.max(...ends).toFixed(1)} s`;
}

function describe(group: TopicIssue[], title: string): Topic {
  const severity = severities.find((candidate) => group.some((issue) => issue.severity === candidate)) ?? "INFO";
  const summaries = [...new Set(group.map(({ summary }) => summary))];
  return {
    title,
    summary: summaries.slice(0, 3).join(" ") + (summaries.length > 3 ? ` And ${summaries.length - 3} more.` : ""),
    severity,
    issueIds: group.map(({ id }) => id),
    ruleCodes: [...new Set(group.map(({ ruleCode }) => ruleCode))],
  };
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
