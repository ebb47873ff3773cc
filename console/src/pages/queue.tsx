import { useSignal } from "@preact/signals";
import type { Review } from "@greenlit/sdk/src/generated.ts";
import { useEffect, useRef } from "preact/hooks";
import { greenlit } from "../api/client.ts";
import { onLive } from "../session/live.ts";
import { submittedCount } from "../upload/uploads.ts";
import { useKeys } from "../ui/keys.ts";
import { lazy } from "../ui/lazy.tsx";
import { useLoad, States } from "../ui/load.tsx";
import { Page } from "../ui/page.tsx";
import { place, setQuery } from "../ui/router.tsx";
import { severities, type Severity } from "../ui/severity.tsx";
import { plural, words } from "../ui/format.ts";
import { EmptyQueue } from "./empty-queue.tsx";
import { InProgress, inProgressCount } from "./in-progress.tsx";
import { ReviewRow } from "./review-row.tsx";

const MarketStrip = lazy(async () => (await import("../markets/market-strip.tsx")).MarketStrip);

const views = {
  mine: { label: "Mine", query: { assignee: "me", state: "awaiting_review,in_review,escalated" } },
  unassigned: { label: "Unassigned", query: { assignee: "none", state: "awaiting_review,in_review,escalated" } },
  returned: { label: "Returned", query: { state: "changes_requested,rejected" } },
  all: { label: "All", query: {} },
} as const;
type View = keyof typeof views;

function viewOf(query: URLSearchParams): View {
  const name = query.get("view");
  return name !== null && name in views ? (name as View) : "all";
}

export function Queue() {
  const { query } = place.value;
  const view = viewOf(query);
  const filters = { q: query.get("q") ?? "", severity: severityOf(query), market: query.get("market") ?? "" };
  const hasMarkets = query.get("show") === "markets";
  const isFiltered = Object.values(filters).some((value) => value !== "");
  const search = useRef<HTMLInputElement>(null);
  const news = useSignal(0);
  const changes = useSignal<ReadonlyMap<string, Review>>(new Map());

  const list = useLoad(
    () => greenlit.call("listReviews", { query: { ...views[view].query, ...withoutEmpty(filters), limit: 50 } }),
    [query.toString(), submittedCount.value],
  );
  const page = list.value.value;

  useEffect(() => {
    changes.value = new Map();
    news.value = 0;
  }, [page]);
  useEffect(
    () =>
      onLive(({ event, submissionId, assetId }) => {
        const known = list.value.value?.data.find((review) => review.assetId === assetId);
        if (known && submissionId !== undefined && assetId !== undefined)
          void greenlit
            .call("readReview", { params: { submission_id: submissionId, asset_id: assetId } })
            .then((review) => (changes.value = new Map(changes.value).set(review.assetId, review)))
            .catch(() => undefined);
        // A row that appears by itself would move the others under the pointer.
        else if (event === "asset.completed" && (list.value.value?.data.length ?? 0) > 0) news.value += 1;
        else if (event === "asset.completed" || event === "seen") list.again();
      }),
    [page],
  );

  const more = async () => {
    const { nextCursor } = list.value.value ?? {};
    const next = await greenlit.call("listReviews", {
      query: { ...views[view].query, ...withoutEmpty(filters), limit: 50, cursor: nextCursor ?? null },
    });
    list.value = { value: { ...next, data: [...(list.value.value?.data ?? []), ...next.data] }, error: undefined };
  };

  useKeys({
    "/": () => search.current?.focus(),
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
    ArrowDown: () => moveFocus(1),
    ArrowUp: () => moveFocus(-1),
  });

  return (
    <Page title="Queue">
      <div class="toolbar">
        <div class="tabs" role="group" aria-label="View">
          {(Object.keys(views) as View[]).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => setQuery({ view: name === "all" ? "" : name })}
            >
              {views[name].label}
            </button>
          ))}
        </div>
        <input
          ref={search}
          type="search"
          placeholder="Search filenames  /"
          aria-label="Search filenames"
          value={filters.q}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
        <select
          aria-label="Severity"
          value={filters.severity}
          onChange={(event) => setQuery({ severity: event.currentTarget.value })}
        >
          <option value="">Any severity</option>
          {severities.map((severity) => (
            <option key={severity} value={severity}>
              {words(severity)}
            </option>
          ))}
          <option value="NONE">No open finding</option>
        </select>
        <input
          class="narrow"
          aria-label="Market"
          placeholder="Market"
          value={filters.market}
          onChange={(event) => setQuery({ market: event.currentTarget.value.trim().toUpperCase() })}
        />
        <button
          type="button"
          aria-pressed={hasMarkets}
          title="What each market would say about each asset"
          onClick={() => setQuery({ show: hasMarkets ? "" : "markets" })}
        >
          All markets
        </button>
      </div>
      <InProgress />
      <States of={list}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            (inProgressCount.value === 0 || isFiltered || view !== "all") && (
              <EmptyQueue isNew={view === "all" && !isFiltered} />
            )
          ) : (
            <>
              <ul class={hasMarkets ? "rows with-markets" : "rows"} aria-label="Assets">
                {data.map((review) => (
                  <ReviewRow key={review.reviewId} review={changes.value.get(review.assetId) ?? review}>
                    {hasMarkets && <MarketStrip review={review} />}
                  </ReviewRow>
                ))}
              </ul>
              {hasMore && (
                <button type="button" class="more" onClick={() => void more()}>
                  Load more
                </button>
              )}
            </>
          )
        }
      </States>
      {news.value > 0 && (
        <button type="button" class="news" onClick={() => list.again()}>
          {plural(news.value, "new asset")} ready for review
        </button>
      )}
    </Page>
  );
}

type SeverityFilter = Severity | "NONE" | "";

function severityOf(query: URLSearchParams): SeverityFilter {
  const value = query.get("severity");
  return [...severities, "NONE" as const].find((name) => name === value) ?? "";
}

type Filled<T> = { [Name in keyof T]?: Exclude<T[Name], ""> };

function withoutEmpty<T extends Record<string, string>>(values: T): Filled<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "")) as Filled<T>;
}

function moveFocus(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>(".rows a")];
  const at = rows.findIndex((row) => row === document.activeElement);
  rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}
