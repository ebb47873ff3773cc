import { useSignal } from "@preact/signals";
import type { SearchHit } from "@greenlit/sdk/src/generated.ts";
import { useEffect } from "preact/hooks";
import { greenlit } from "../api/client.ts";
import { clock } from "../ui/format.ts";
import { toastError } from "../ui/toast.tsx";
import type { ReviewStore } from "./review-store.ts";

const sources: Record<SearchHit["source"], string> = {
  screen: "Seen",
  speech: "Said",
  caption: "Caption",
  document: "Written",
};

/** Everything that was read or heard, to search and to jump to. */
export function TextPanel({ store }: { store: ReviewStore }) {
  const { ids, player } = store;
  const query = useSignal("");
  const hits = useSignal<SearchHit[] | undefined>(undefined);
  const next = useSignal<string | null>(null);
  const read = (cursor: string | null) => {
    const q = query.value.trim();
    return greenlit.assets.search(ids.submissionId, ids.assetId, { limit: 200, cursor, ...(q !== "" && { q }) }).page();
  };
  const more = () =>
    read(next.value).then(({ data, nextCursor }) => {
      hits.value = [...(hits.value ?? []), ...data];
      next.value = nextCursor;
    }, toastError);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      read(null).then(({ data, nextCursor }) => {
        if (!isCurrent) return;
        hits.value = data;
        next.value = nextCursor;
      }, toastError);
    }, 200);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [query.value]);
  return (
    <section class="text-panel" aria-label="Text">
      <div class="findings-bar">
        <input
          id="text-search"
          type="search"
          aria-label="Search what is seen and said"
          placeholder="Search what is seen and said  /"
          value={query.value}
          onInput={(event) => (query.value = event.currentTarget.value)}
        />
      </div>
      {hits.value?.length === 0 && (
        <div class="empty quiet">
          {query.value.trim() === "" ? "Nothing was read or heard." : "These words are neither seen nor said."}
        </div>
      )}
      <ol>
        {hits.value?.map(({ source, text, startSeconds, page }, index) => (
          <li key={index}>
            <button
              type="button"
              onClick={() => {
                if (startSeconds !== null) player.seek(startSeconds);
                else document.querySelector(`[data-page="${page}"]`)?.scrollIntoView({ block: "center" });
              }}
            >
              <span class="quiet">
                {sources[source]}
                <br />
                {startSeconds === null ? (page === null ? "" : `p. ${page}`) : clock(startSeconds)}
              </span>
              <span class="text">{text}</span>
            </button>
          </li>
        ))}
      </ol>
      {next.value !== null && (
        <button type="button" class="more" onClick={() => void more()}>
          Load more
        </button>
      )}
    </section>
  );
}
