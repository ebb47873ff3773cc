import type { Signal } from "@preact/signals";
import { Checks } from "./checks.tsx";
import { Comments } from "./comments.tsx";
import { FindingList } from "./finding-list.tsx";
import type { ReviewStore } from "./review-store.ts";
import { TextPanel } from "./text-panel.tsx";
import { Versions } from "./versions.tsx";

export type Tab = "findings" | "comments" | "text" | "versions" | "checks";

/** The panels beside the picture. */
export function Side({ store, tab }: { store: ReviewStore; tab: Signal<Tab> }) {
  const open = store.comments.value.filter(({ isResolved, threadId }) => !isResolved && threadId === null).length;
  const tabs: [Tab, string][] = [
    ["findings", "Findings"],
    ["comments", open > 0 ? `Comments ${open}` : "Comments"],
    ["text", "Text"],
    ["versions", "Versions"],
    ["checks", "Checks"],
  ];
  const move = (by: number) => {
    const at = tabs.findIndex(([name]) => name === tab.value);
    const next = tabs[(at + by + tabs.length) % tabs.length]?.[0] ?? "findings";
    tab.value = next;
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <aside class="side">
      <div
        class="side-tabs"
        role="tablist"
        aria-label="Panels"
        onKeyDown={(event) => {
          if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
          event.preventDefault();
          move(event.key === "ArrowLeft" ? -1 : 1);
        }}
      >
        {tabs.map(([name, label]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={tab.value === name}
            aria-controls="panel"
            tabIndex={tab.value === name ? 0 : -1}
            onClick={() => (tab.value = name)}
          >
            {label}
          </button>
        ))}
      </div>
      <div id="panel" class="panel" role="tabpanel" aria-labelledby={`tab-${tab.value}`}>
        {tab.value === "findings" && <FindingList store={store} />}
        {tab.value === "comments" && <Comments store={store} />}
        {tab.value === "text" && <TextPanel store={store} />}
        {tab.value === "versions" && <Versions store={store} />}
        {tab.value === "checks" && <Checks store={store} />}
      </div>
    </aside>
  );
}
