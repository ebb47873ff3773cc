import { useSignal } from "@preact/signals";
import { may } from "../session/session.ts";
import { plural } from "../ui/format.ts";
import { reasons } from "./reasons.ts";
import { isUndecided, type ReviewStore } from "./review-store.ts";

/** Decides several at once: those marked, chosen one by one, by rule or by topic. */
export function BulkBar({ store }: { store: ReviewStore }) {
  const reason = useSignal("FALSE_POSITIVE");
  const { marked, visible, selected, topics } = store;
  if (!may("reviewer") || visible.value.length === 0) return null;
  const ids = [...marked.value];
  if (ids.length === 0) return null;
  const mark = (issueIds: readonly string[]) => (marked.value = new Set(issueIds));
  const focus = selected.value ?? visible.value.find(({ id }) => marked.value.has(id));
  const topic = topics.value?.topics.find(({ issueIds }) => focus && issueIds.includes(focus.id));
  return (
    <div class="bulk" role="group" aria-label="Decide several findings">
      <div class="row">
        <strong>{plural(ids.length, "finding")} marked</strong>
        <button
          type="button"
          class="plain small"
          onClick={() => mark(visible.value.filter(isUndecided).map(({ id }) => id))}
        >
          All undecided
        </button>
        {focus && (
          <button
            type="button"
            class="plain small"
            onClick={() =>
              mark(visible.value.filter(({ ruleCode }) => ruleCode === focus.ruleCode).map(({ id }) => id))
            }
          >
            Same rule
          </button>
        )}
        {topic && (
          <button type="button" class="plain small" onClick={() => mark(topic.issueIds)}>
            Same topic
          </button>
        )}
        <button type="button" class="plain small" onClick={() => mark([])}>
          None
        </button>
      </div>
      <div class="row">
        <button type="button" class="small" onClick={() => void store.decideMany(ids, { status: "ACKNOWLEDGED" })}>
          Acknowledge
        </button>
        <button type="button" class="small" onClick={() => void store.decideMany(ids, { status: "RESOLVED" })}>
          Resolve
        </button>
        <button
          type="button"
          class="small"
          onClick={() => void store.decideMany(ids, { status: "DISMISSED", reasonCode: reason.value as never })}
        >
          Dismiss as
        </button>
        <select
          aria-label="Reason for dismissing"
          value={reason.value}
          onChange={(event) => (reason.value = event.currentTarget.value)}
        >
          {reasons.map(({ code, label }) => (
            <option key={code} value={code}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
