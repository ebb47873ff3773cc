import type { Verdicts } from "@greenlit/sdk/src/generated.ts";

export type Verdict = Verdicts["markets"][number]["verdict"];

/** Worst first, as the service orders them. */
export const verdicts: { name: Verdict; label: string }[] = [
  { name: "blocked", label: "Blocked" },
  { name: "changes_needed", label: "Changes needed" },
  { name: "needs_human", label: "A person decides" },
  { name: "not_assessed", label: "Not assessed" },
  { name: "conditional", label: "With conditions" },
  { name: "clear_with_notes", label: "Clear, with notes" },
  { name: "clear", label: "Clear" },
];

export function verdictLabel(verdict: Verdict): string {
  return verdicts.find(({ name }) => name === verdict)?.label ?? verdict;
}

export function isWorse(a: Verdict, b: Verdict): boolean {
  const rank = (verdict: Verdict) => verdicts.findIndex(({ name }) => name === verdict);
  return rank(a) < rank(b);
}

/** Told apart without colour: filled is bad, a tick is good, a broken ring is unknown. */
const shapes: Record<Verdict, string> = {
  blocked: "M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2z",
  changes_needed: "M8 1.5L15.2 14.5H.8z",
  needs_human: "M8 .8L15.2 8 8 15.2.8 8z",
  not_assessed:
    "M8 2a6 6 0 0 1 3 .8M13.2 5a6 6 0 0 1 .8 3M13.2 11a6 6 0 0 1-2.2 2.2M8 14a6 6 0 0 1-3-.8M2.8 11a6 6 0 0 1-.8-3M2.8 5A6 6 0 0 1 5 2.8",
  conditional: "M8 2a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM8 5v3.5l2.5 1.5",
  clear_with_notes: "M2 8.5l3.5 3.5L13 4.5M14 13h.01",
  clear: "M2 8.5l4 4 8-9",
};

export function VerdictMark({ verdict, size = 14 }: { verdict: Verdict; size?: number }) {
  return (
    <svg class={`verdict ${verdict}`} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[verdict]} />
    </svg>
  );
}
