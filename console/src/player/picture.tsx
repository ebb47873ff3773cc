import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { assetUrl, messageOf, type AssetIds } from "../api/client.ts";
import { isBeingMade, type Renditions } from "./renditions.ts";

type Props = {
  ids: AssetIds;
  renditions: Renditions;
  alt: string;
  onSize?: (size: { width: number; height: number }) => void;
};

/** A picture, or why there is none. */
export function Picture({ ids, renditions, alt, onSize }: Props) {
  const url = useSignal("");
  const error = useSignal("");
  useEffect(() => {
    let isOver = false;
    void pictureUrl(ids, renditions).then(
      (value) => {
        if (isOver) return URL.revokeObjectURL(value);
        url.value = value;
        error.value = "";
      },
      (failure: unknown) => (error.value = messageOf(failure)),
    );
    return () => {
      isOver = true;
      if (url.value.startsWith("blob:")) URL.revokeObjectURL(url.value);
    };
  }, [renditions.media === null, ids.assetId]);
  if (error.value !== "") return <p class="no-media">{error.value}</p>;
  if (url.value === "") return null;
  return (
    <img
      src={url.value}
      alt={alt}
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => onSize?.({ width, height })}
      onError={() =>
        (error.value = isBeingMade(renditions)
          ? "A copy that browsers can show is being made."
          : "This browser cannot show the file as it is.")
      }
    />
  );
}

/** A picture for `<img>`. It becomes a blob where it comes from the store, which the page may read but not embed. */
async function pictureUrl(ids: AssetIds, { media }: Renditions): Promise<string> {
  if (media !== null) return assetUrl(ids, "media");
  const response = await fetch(assetUrl(ids, "original"));
  if (!response.ok) throw new Error(`The file could not be loaded (${response.status}).`);
  return URL.createObjectURL(await response.blob());
}
