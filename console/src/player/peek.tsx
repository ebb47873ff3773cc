import { assetUrl } from "../api/client.ts";
import type { ReviewStore } from "../findings/review-store.ts";
import { timecode } from "../ui/format.ts";

/** What a click on the timeline would show: the nearest picture of the filmstrip before it, and the time. */
export function Peek({ store, seconds }: { store: ReviewStore; seconds: number }) {
  const { player, renditions, ids } = store;
  const strip = renditions.value?.filmstrip;
  const at = strip ? Math.min(strip.count - 1, Math.floor(seconds / strip.intervalSeconds)) : 0;
  return (
    <div
      class="peek"
      aria-hidden="true"
      style={{ left: `clamp(80px, ${(seconds / player.duration.value) * 100}%, 100% - 80px)` }}
    >
      {strip && (
        <i
          style={{
            width: `${strip.tileWidth}px`,
            height: `${strip.tileHeight}px`,
            backgroundImage: `url("${assetUrl(ids, "filmstrip")}")`,
            backgroundPosition: `-${(at % strip.columns) * strip.tileWidth}px -${Math.floor(at / strip.columns) * strip.tileHeight}px`,
          }}
        />
      )}
      <span>{timecode(seconds, player.framesPerSecond.value)}</span>
    </div>
  );
}
