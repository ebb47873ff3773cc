import type { Issue } from "@greenlit/sdk/src/generated.ts";
import { words } from "./format.ts";

export type Severity = Issue["severity"];
export const severities: readonly Severity[] = ["CRITICAL", "MAJOR", "MINOR", "INFO"];

/** Told apart without colour too. */
const shapes: Record<Severity, string> = {
  CRITICAL: "M5.200 1h5.600L15 5.200v5.600L10.800 15H5.200L1 10.800V5.200z",
  MAJOR: "M8 1.500L15.200 14.500H.800z",
  MINOR: "M8 .800L15.200 8 8 15.200.800 8z",
  INFO: "M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13z",
};

export function SeverityMark({ severity, size = 12 }: { severity: Severity; size?: number }) {
  return (
    <svg class={`mark ${severity.toLowerCase()}`} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[severity]} />
    </svg>
  );
}

/** How many there are of each, the grave ones first. */
export function SeverityCounts({ counts }: { counts: Record<Severity, number> }) {
  const present = severities.filter((severity) => counts[severity] > 0);
  if (present.length === 0) return <span class="quiet">None open</span>;
  return (
    <span class="counts">
      {present.map((severity) => (
        <span key={severity} title={`${counts[severity]} ${words(severity).toLowerCase()}`}>
          <SeverityMark severity={severity} />
          {counts[severity]}
          <span class="sr"> {words(severity)}</span>
        </span>
      ))}
    </span>
  );
}
