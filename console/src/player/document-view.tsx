import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { assetUrl } from "../api/client.ts";
import type { ReviewStore } from "../findings/review-store.ts";
import { BoxLayer } from "./box-layer.tsx";
import type { Comparison } from "./comparison.ts";
import { marked } from "./marked-text.tsx";
import type { Renditions } from "./renditions.ts";

/** A document's pages: their pictures, or their text with the quotes of the findings marked. */
export function DocumentView({ store, renditions }: { store: ReviewStore; renditions: Renditions }) {
  const { measurements, selected } = store;
  const drawn = new Map(renditions.pages?.ready.map(({ page, ...size }) => [page, size]));
  const texts = new Map(measurements.value?.pages?.map(({ page, text }) => [page, text]));
  const pages = [...new Set([...texts.keys(), ...drawn.keys()])].toSorted((a, b) => a - b);
  const target = selected.value?.location?.page ?? undefined;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (target === undefined) return;
    const page = list.current?.querySelector(`[data-page="${target}"]`);
    (page?.querySelector("mark.selected, .box.selected") ?? page)?.scrollIntoView({ block: "center" });
  }, [target, selected.value?.id]);
  const comparison = store.comparison.value;
  if (measurements.value && pages.length === 0) return <div class="stage no-media">This document has no text.</div>;
  return (
    <div ref={list} class="stage document" tabIndex={0} role="region" aria-label="Document">
      {isOffice(store.asset.value?.mimeType) && (
        <p class="quiet layout-note">
          The text of each page, laid out anew without its pictures. Download the original to see its layout.
        </p>
      )}
      {pages.map((page) => {
        const own = (
          <PageView key={page} store={store} page={page} text={texts.get(page) ?? ""} size={drawn.get(page)} />
        );
        return comparison ? (
          <div key={page} class={`pages ${comparison.mode}`}>
            {(comparison.mode !== "flick" || comparison.shows === "other") && (
              <OtherPage comparison={comparison} page={page} />
            )}
            {(comparison.mode !== "flick" || comparison.shows === "own") && own}
          </div>
        ) : (
          own
        );
      })}
    </div>
  );
}

/** The same page of the other version, or nothing where it had fewer. */
function OtherPage({ comparison: { ids, versionNumber }, page }: { comparison: Comparison; page: number }) {
  const isMissing = useSignal(false);
  return (
    <article class="paper" aria-label={`Page ${page} of version ${versionNumber}`}>
      <span class="page-number">{page}</span>
      {isMissing.value ? (
        <p class="quiet">Version {versionNumber} has no picture of this page.</p>
      ) : (
        <div class="picture">
          <img
            loading="lazy"
            src={assetUrl(ids, `pages/${page}`)}
            alt={`Page ${page} of version ${versionNumber}`}
            onError={() => (isMissing.value = true)}
          />
        </div>
      )}
    </article>
  );
}

function isOffice(mimeType: string | null | undefined): boolean {
  return mimeType?.includes("officedocument") ?? false;
}

type PageProps = {
  store: ReviewStore;
  page: number;
  text: string;
  /** Of its picture, where there is one. */
  size: { width: number; height: number } | undefined;
};

function PageView({ store, page, text, size }: PageProps) {
  const isBroken = useSignal(false);
  const quotes = store.issues.value.filter(({ location }) => location?.page === page && location.quote);
  const isDrawn = size !== undefined && !isBroken.value;
  // A picture of a page shows boxes only: a quote without one is marked in the text below it.
  const needsText = !isDrawn || quotes.some(({ location }) => !location?.region);
  return (
    <article class="paper" data-page={page} aria-label={`Page ${page}`}>
      <span class="page-number">{page}</span>
      {isDrawn && (
        <div class="picture" style={{ aspectRatio: `${size.width} / ${size.height}` }}>
          <img
            loading="lazy"
            src={assetUrl(store.ids, `pages/${page}`)}
            alt={`Page ${page}`}
            onError={() => (isBroken.value = true)}
          />
          <BoxLayer store={store} page={page} />
        </div>
      )}
      {needsText && (
        <pre>{marked(text, { quotes, selectedId: store.selectedId.value, onSelect: (id) => store.select(id) })}</pre>
      )}
    </article>
  );
}
