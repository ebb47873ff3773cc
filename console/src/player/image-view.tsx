import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { assetUrl, messageOf, type AssetIds } from "../api/client.ts";
import type { ReviewStore } from "../findings/review-store.ts";
import { BoxLayer } from "./box-layer.tsx";
import { isBeingMade, type Renditions } from "./renditions.ts";

export function ImageView({ store, renditions }: { store: ReviewStore; renditions: Renditions }) {
  const url = useSignal("");
  const error = useSignal("");
  const zoom = useSignal(1);
  useEffect(() => {
    void pictureUrl(store.ids, renditions).then(
      (value) => {
        url.value = value;
        error.value = "";
      },
      (failure: unknown) => (error.value = messageOf(failure)),
    );
    return () => url.value.startsWith("blob:") && URL.revokeObjectURL(url.value);
  }, [renditions.media === null]);
  const { width, height } = store.player.size.value ?? store.measurements.value?.image ?? { width: 4, height: 3 };
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
        <div
          class="picture"
          style={{ aspectRatio: `${width} / ${height}`, "--ratio": `${width / height}`, "--zoom": `${zoom.value}` }}
        >
          {error.value === "" ? (
            url.value !== "" && (
              <img
                src={url.value}
                alt={store.asset.value?.filename ?? ""}
                onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                  (store.player.size.value = { width: naturalWidth, height: naturalHeight })
                }
                onError={() =>
                  (error.value = isBeingMade(renditions)
                    ? "A copy that browsers can show is being made."
                    : "This browser cannot show the file as it is.")
                }
              />
            )
          ) : (
            <p class="no-media">{error.value}</p>
          )}
          <BoxLayer store={store} />
        </div>
      </div>
    </div>
  );
}

/** A picture for `<img>`. It becomes a blob where it comes from the store, which the page may read but not embed. */
async function pictureUrl(ids: AssetIds, { media }: Renditions): Promise<string> {
  if (media !== null) return assetUrl(ids, "media");
  const response = await fetch(assetUrl(ids, "original"));
  if (!response.ok) throw new Error(`The file could not be loaded (${response.status}).`);
  return URL.createObjectURL(await response.blob());
}
