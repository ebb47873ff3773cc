import { useSignal } from "@preact/signals";
import type { Issue } from "@greenlit/sdk/src/generated.ts";
import { useEffect, useRef } from "preact/hooks";
import { may } from "../session/session.ts";
import { clock, plural, words } from "../ui/format.ts";
import { SeverityMark } from "../ui/severity.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { FindingCard } from "./finding-card.tsx";
import type { Order } from "./order-issues.ts";
import type { ReviewStore } from "./review-store.ts";

/** Thousands of rows would take seconds at each key: only those near what is chosen, or come near, are drawn. */
const step = 100;
const above = 30;

/** The findings. Choosing one moves the picture to it, and the picture lights up those at its playhead. */
export function FindingList({ store }: { store: ReviewStore }) {
  const { visible, issues, shown, order, undecidedCount, topics } = store;
  const current = new Set(store.current.value.split(" "));
  const topicOf = new Map(
    topics.value?.topics.flatMap((topic) => topic.issueIds.map((id) => [id, topic] as const)) ?? [],
  );
  let lastTopic: string | undefined;
  const drawn = useSignal({ from: 0, to: step });
  const total = visible.value.length;
  const selectedAt = visible.value.findIndex(({ id }) => id === store.selectedId.value);
  let { from, to } = drawn.value;
  if (selectedAt >= 0 && (selectedAt < from || selectedAt >= to)) {
    from = selectedAt - above;
    to = from + step;
  }
  from = Math.max(0, Math.min(from, total - step));
  return (
    <section class="findings" aria-label="Findings">
      <div class="findings-bar">
        <div class="segments" role="group" aria-label="Show">
          <button type="button" aria-pressed={shown.value === "undecided"} onClick={() => (shown.value = "undecided")}>
            Undecided {undecidedCount.value.toLocaleString("en")}
          </button>
          <button type="button" aria-pressed={shown.value === "all"} onClick={() => (shown.value = "all")}>
            All {(issues.value.length + store.missingCount.value).toLocaleString("en")}
          </button>
        </div>
        <select
          aria-label="Order"
          value={order.value}
          onChange={(event) => (order.value = event.currentTarget.value as Order)}
        >
          <option value="severity">By severity</option>
          <option value="time">By time</option>
          <option value="topic">By topic</option>
        </select>
      </div>
      <BulkBar store={store} />
      {visible.value.length === 0 && (
        <div class="empty">
          <p>{issues.value.length === 0 ? "No findings." : "Every finding is decided."}</p>
          {issues.value.length === 0 && (
            <p class="quiet">The rules that apply found nothing. What was not checked is listed under Checks.</p>
          )}
        </div>
      )}
      <ol>
        {from > 0 && (
          <More key={`to ${from}`} label="Show earlier" onSeen={() => (drawn.value = { from: from - step, to })} />
        )}
        {visible.value.slice(from, to).map((issue) => {
          const topic = order.value === "topic" ? (topicOf.get(issue.id)?.title ?? "Single findings") : undefined;
          const heading = topic !== lastTopic ? topic : undefined;
          lastTopic = topic;
          return (
            <>
              {heading !== undefined && (
                <li class="topic" key={`topic ${heading}`}>
                  <h3>{heading}</h3>
                </li>
              )}
              <FindingRow key={issue.id} store={store} issue={issue} isCurrent={current.has(issue.id)} />
            </>
          );
        })}
        {total > to && (
          <More key={`from ${to}`} label="Show more" onSeen={() => (drawn.value = { from, to: to + step })} />
        )}
        {store.missingCount.value > 0 && (
          <li class="topic">{plural(store.missingCount.value, "finding")} more on the way…</li>
        )}
      </ol>
      <p class="sr" role="status">
        {plural(undecidedCount.value, "finding")} left to decide
      </p>
    </section>
  );
}

/** An end of what is drawn so far: coming near it draws more. */
function More({ label, onSeen }: { label: string; onSeen: () => void }) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onSeen(), { rootMargin: "800px" });
    if (row.current) observer.observe(row.current);
    return () => observer.disconnect();
  }, []);
  return (
    <li ref={row} class="topic">
      <button type="button" class="plain small" onClick={onSeen}>
        {label}
      </button>
    </li>
  );
}

function FindingRow({ store, issue, isCurrent }: { store: ReviewStore; issue: Issue; isCurrent: boolean }) {
  const { id, severity, status, summary, referenceNumber, location } = issue;
  const isSelected = store.selectedId.value === id;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  const isDone = status === "RESOLVED" || status === "DISMISSED";
  return (
    <li
      ref={row}
      class={`finding ${severity.toLowerCase()} ${isSelected ? "selected" : ""} ${isCurrent ? "current" : ""} ${isDone ? "done" : ""}`}
    >
      <div class="finding-row">
        {may("reviewer") && (
          <input
            type="checkbox"
            aria-label={`Mark finding ${referenceNumber}`}
            checked={store.marked.value.has(id)}
            onChange={(event) => {
              const next = new Set(store.marked.value);
              if (event.currentTarget.checked) next.add(id);
              else next.delete(id);
              store.marked.value = next;
            }}
          />
        )}
        <button type="button" aria-expanded={isSelected} onClick={() => store.select(isSelected ? undefined : id)}>
          <SeverityMark severity={severity} size={14} />
          <span class="summary">
            <span class="sr">{`${words(severity)} finding ${referenceNumber}: `}</span>
            {summary}
          </span>
          <span class="where">
            <span class="sr"> at </span>
            {location?.startSeconds !== null && location?.startSeconds !== undefined
              ? clock(location.startSeconds)
              : location?.page
                ? `p. ${location.page}`
                : ""}
          </span>
          <span class={`status ${status.toLowerCase()}`}>
            {status === "OPEN" ? `#${referenceNumber}` : words(status)}
          </span>
        </button>
      </div>
      {isSelected && <FindingCard store={store} issue={issue} />}
    </li>
  );
}
