import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { assetUrl } from "../api/client.ts";
import type { ReviewStore } from "../findings/review-store.ts";
import { BoxLayer } from "./box-layer.tsx";
import { hasPart } from "./media-source.ts";
import { marked } from "./marked-text.tsx";

/** A document's pages: their pictures, or their text with the quotes of the findings marked. */
export function DocumentView({ store }: { store: ReviewStore }) {
  const { measurements, selected } = store;
  const pages = measurements.value?.pages ?? [];
  const target = selected.value?.location?.page ?? undefined;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (target === undefined) return;
    const page = list.current?.querySelector(`[data-page="${target}"]`);
    (page?.querySelector("mark.selected, .box.selected") ?? page)?.scrollIntoView({ block: "center" });
  }, [target, selected.value?.id]);
  if (measurements.value && pages.length === 0) return <div class="stage no-media">This document has no text.</div>;
  return (
    <div ref={list} class="stage document" tabIndex={0} role="region" aria-label="Document">
      {pages.map(({ page, text }) => (
        <PageView key={page} store={store} page={page} text={text} />
      ))}
    </div>
  );
}

function PageView({ store, page, text }: { store: ReviewStore; page: number; text: string }) {
  const hasPicture = useSignal(hasPart("pages/{page}"));
  const size = useSignal({ width: 210, height: 297 });
  const quotes = store.issues.value.filter(({ location }) => location?.page === page && location.quote);
  return (
    <article class="paper" data-page={page} aria-label={`Page ${page}`}>
      <span class="page-number">{page}</span>
      {hasPicture.value ? (
        <div class="picture" style={{ aspectRatio: `${size.value.width} / ${size.value.height}` }}>
          <img
            loading="lazy"
            src={assetUrl(store.ids, `pages/${page}`)}
            alt={`Page ${page}`}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              (size.value = { width, height })
            }
            onError={() => (hasPicture.value = false)}
          />
          <BoxLayer store={store} page={page} />
        </div>
      ) : (
        <pre>{marked(text, { quotes, selectedId: store.selectedId.value, onSelect: (id) => store.select(id) })}</pre>
      )}
    </article>
  );
}
