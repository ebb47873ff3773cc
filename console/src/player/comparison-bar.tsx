import type { ReviewStore } from "../findings/review-store.ts";
import { Icon } from "../ui/icon.tsx";
import { comparisonModes, flick, type ComparisonMode } from "./comparison.ts";
import { mediaKind } from "./media-kind.ts";

/** How two versions are compared, and which of them is seen. */
export function ComparisonBar({ store }: { store: ReviewStore }) {
  const { comparison, asset } = store;
  if (!comparison.value) return null;
  const { mode, shows, versionNumber } = comparison.value;
  const kind = mediaKind(asset.value?.mimeType ?? null);
  // Neither a sound nor a page of text can be wiped.
  const modes = (Object.keys(comparisonModes) as ComparisonMode[]).filter(
    (name) => name !== "wipe" || kind === "video" || kind === "image",
  );
  return (
    <div class="comparison-bar" role="group" aria-label="Compare versions">
      <div class="segments" role="group" aria-label="How">
        {modes.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={mode === name}
            onClick={() => comparison.value && (comparison.value = { ...comparison.value, mode: name })}
          >
            {comparisonModes[name]}
          </button>
        ))}
      </div>
      {mode === "flick" ? (
        <div class="segments" role="group" aria-label="Shown">
          <button type="button" aria-pressed={shows === "other"} onClick={() => flick(store, "other")}>
            <kbd>1</kbd> Version {versionNumber}
          </button>
          <button type="button" aria-pressed={shows === "own"} onClick={() => flick(store, "own")}>
            <kbd>2</kbd> Version {asset.value?.versionNumber}
          </button>
        </div>
      ) : (
        <span class="quiet">
          Version {versionNumber} left, version {asset.value?.versionNumber} right
        </span>
      )}
      <span class="spacer" />
      <button
        type="button"
        class="plain square"
        aria-label="End the comparison"
        title="Esc"
        onClick={() => (comparison.value = undefined)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
