import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Renditions } from "@greenlit/sdk/src/generated.ts";
import { assetUrl, greenlit, type AssetIds } from "../api/client.ts";

export type { Renditions };

const pollMs = 2000;

/** What can be shown of an asset. It is asked again while more is being made; undefined until the first answer. */
export function useRenditions({ submissionId, assetId }: AssetIds): Renditions | undefined {
  const known = useSignal<Renditions | undefined>(undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const params = { submission_id: submissionId, asset_id: assetId };
    const ask = async () => {
      // An answer that does not come must not hide the file: it is shown as it was uploaded.
      const answer = await greenlit.call("readRenditions", { params }).catch(() => known.value ?? none(assetId));
      if (isOver) return;
      known.value = answer;
      if (answer.status === "waiting" || answer.status === "working") timer = setTimeout(() => void ask(), pollMs);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [submissionId, assetId]);
  return known.value;
}

/** Where a player gets the file: as browsers can play it, else as it was uploaded. */
export function mediaUrl(ids: AssetIds, { media }: Renditions): string {
  return assetUrl(ids, media === null ? "original" : "media");
}

export function isBeingMade({ status, media }: Renditions): boolean {
  return media === null && (status === "waiting" || status === "working");
}

function none(assetId: string): Renditions {
  return {
    assetId,
    status: "off",
    progressPercent: 0,
    errorMessage: null,
    durationSeconds: null,
    framesPerSecond: null,
    media: null,
    poster: null,
    filmstrip: null,
    hasWaveform: false,
    pages: null,
  };
}
