import { useSignal } from "@preact/signals";
import type { ReviewStore } from "../findings/review-store.ts";
import { BoxLayer } from "./box-layer.tsx";
import { Pair } from "./pair.tsx";
import { Picture } from "./picture.tsx";
import type { Renditions } from "./renditions.ts";

export function ImageView({ store, renditions }: { store: ReviewStore; renditions: Renditions }) {
  const zoom = useSignal(1);
  const { player, measurements, asset, ids } = store;
  const { width, height } = player.size.value ?? measurements.value?.image ?? { width: 4, height: 3 };
  return (
    <div class="stage image">
      <div class="zoom" role="group" aria-label="Zoom">
        {[1, 2, 4].map((factor) => (
          <button key={factor} type="button" aria-pressed={zoom.value === factor} onClick={() => (zoom.value = factor)}>
            {factor === 1 ? "Fit" : `${factor}×`}
          </button>
        ))}
      </div>
      <div class="scroller" tabIndex={0} role="region" aria-label="Picture">
        <div class="zoomed" style={{ "--zoom": `${zoom.value}` }}>
          <Pair store={store} kind="image" size={{ width, height }}>
            <Picture
              ids={ids}
              renditions={renditions}
              alt={asset.value?.filename ?? ""}
              onSize={(size) => (player.size.value = size)}
            />
            <BoxLayer store={store} />
          </Pair>
        </div>
      </div>
    </div>
  );
}
