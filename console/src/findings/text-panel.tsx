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
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      const q = query.value.trim();
      greenlit.assets
        .search(ids.submissionId, ids.assetId, { limit: 500, ...(q !== "" && { q }) })
        .page()
        .then(({ data }) => isCurrent && (hits.value = data), toastError);
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
      {hits.value?.length === 0 && <div class="empty quiet">Nothing was read or heard.</div>}
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
    </section>
  );
}
