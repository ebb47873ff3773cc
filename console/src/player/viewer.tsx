import { useEffect } from "preact/hooks";
import type { ReviewStore } from "../findings/review-store.ts";
import { Skeleton } from "../ui/load.tsx";
import { AudioView } from "./audio-view.tsx";
import { DocumentView } from "./document-view.tsx";
import { ImageView } from "./image-view.tsx";
import { mediaKind } from "./media-kind.ts";
import { useRenditions } from "./renditions.ts";
import { VideoView } from "./video-view.tsx";

/** The file, in the way that suits it. It is only ever a picture, a film, a sound or plain text: never markup. */
export function Viewer({ store }: { store: ReviewStore }) {
  const renditions = useRenditions(store.ids);
  const asset = store.asset.value;
  const rate = renditions?.framesPerSecond ?? null;
  useEffect(() => store.player.setFrameRate(rate), [rate]);
  useEffect(() => {
    store.renditions.value = renditions;
    store.player.expectLength(renditions?.durationSeconds ?? null);
  }, [renditions]);
  if (!asset) return null;
  if (!renditions)
    return (
      <div class="stage">
        <Skeleton rows={3} />
      </div>
    );
  switch (mediaKind(asset.mimeType)) {
    case "video":
      return <VideoView store={store} renditions={renditions} />;
    case "audio":
      return <AudioView store={store} renditions={renditions} />;
    case "image":
      return <ImageView store={store} renditions={renditions} />;
    default:
      return <DocumentView store={store} renditions={renditions} />;
  }
}
