import { signal } from "@preact/signals";
import type { Issue } from "@greenlit/sdk/src/generated.ts";
import { isUndecided, type ReviewStore } from "./review-store.ts";
import { reasons } from "./reasons.ts";

/** The finding whose dismissal waits for its reason. */
export const dismissing = signal<string | undefined>(undefined);

export function dismiss(store: ReviewStore, issue: Issue, reasonNumber: number): void {
  const reason = reasons[reasonNumber - 1];
  if (!reason) return;
  dismissing.value = undefined;
  void store.decide(issue, { status: "DISMISSED", reasonCode: reason.code });
}

/** Acknowledge, resolve, or dismiss with a reason: one key, or two. */
export function Decide({ store, issue }: { store: ReviewStore; issue: Issue }) {
  const isAsking = dismissing.value === issue.id;
  const set = (status: Issue["status"]) => void store.decide(issue, { status });
  return (
    <div class="decide" role="group" aria-label={`Decide finding ${issue.referenceNumber}`}>
      <button type="button" aria-pressed={issue.status === "ACKNOWLEDGED"} onClick={() => set("ACKNOWLEDGED")}>
        Acknowledge <kbd>A</kbd>
      </button>
      <button type="button" aria-pressed={issue.status === "RESOLVED"} onClick={() => set("RESOLVED")}>
        Resolve <kbd>R</kbd>
      </button>
      <button
        type="button"
        aria-pressed={issue.status === "DISMISSED"}
        aria-expanded={isAsking}
        onClick={() => (dismissing.value = isAsking ? undefined : issue.id)}
      >
        Dismiss <kbd>D</kbd>
      </button>
      {!isUndecided(issue) && (
        <button type="button" class="plain" onClick={() => set("OPEN")}>
          Reopen
        </button>
      )}
      {isAsking && (
        <div class="reasons" role="group" aria-label="Why">
          {reasons.map(({ code, label }, index) => (
            <button key={code} type="button" onClick={() => dismiss(store, issue, index + 1)}>
              <kbd>{index + 1}</kbd> {label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
