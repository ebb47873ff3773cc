import type { ReviewStore } from "../findings/review-store.ts";
import { AudioView } from "./audio-view.tsx";
import { DocumentView } from "./document-view.tsx";
import { ImageView } from "./image-view.tsx";
import { mediaKind } from "./media-source.ts";
import { VideoView } from "./video-view.tsx";

/** The file, in the way that suits it. It is only ever a picture, a film, a sound or plain text: never markup. */
export function Viewer({ store }: { store: ReviewStore }) {
  const { asset } = store;
  if (!asset.value) return null;
  switch (mediaKind(asset.value.mimeType)) {
    case "video":
      return <VideoView store={store} />;
    case "audio":
      return <AudioView store={store} />;
    case "image":
      return <ImageView store={store} />;
    default:
      return <DocumentView store={store} />;
  }
}
