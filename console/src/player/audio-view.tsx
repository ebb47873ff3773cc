import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ReviewStore } from "../findings/review-store.ts";
import type { Comparison } from "./comparison.ts";
import { OtherVersion } from "./other-version.tsx";
import { isBeingMade, mediaUrl, useRenditions, type Renditions } from "./renditions.ts";
import { Waveform } from "./waveform.tsx";

/** A sound, seen as its waveform. */
export function AudioView({ store, renditions }: { store: ReviewStore; renditions: Renditions }) {
  const { player, ids, measurements } = store;
  const audio = useRef<HTMLAudioElement>(null);
  const isUnplayable = useSignal(false);
  useEffect(() => (audio.current ? player.attach(audio.current) : undefined), []);
  // Once: what is playing must not begin anew when something better is ready.
  const url = useSignal(mediaUrl(ids, renditions));
  useEffect(() => {
    const better = mediaUrl(ids, renditions);
    if (!isUnplayable.value || better === url.value) return;
    url.value = better;
    isUnplayable.value = false;
  }, [renditions.media === null, isUnplayable.value]);
  // Until the peaks are there, the loudness draws much the same picture.
  const until = loudnessHeights(measurements.value?.loudness?.curve.momentaryLufs ?? []);
  const comparison = store.comparison.value;
  return (
    <div class="stage audio">
      <audio ref={audio} src={url.value} preload="auto" onError={() => (isUnplayable.value = true)} />
      {comparison && <OtherSound key={comparison.ids.assetId} store={store} comparison={comparison} />}
      <Waveform ids={ids} renditions={renditions} label="Waveform" until={until} />
      {isUnplayable.value && (
        <p class="no-media">
          {isBeingMade(renditions)
            ? `A copy that browsers can play is being made (${renditions.progressPercent} %).`
            : "This browser cannot play the file as it is."}
        </p>
      )}
    </div>
  );
}

/** The other version above: by its waveform, and heard when it is flicked to. */
function OtherSound({ store, comparison }: { store: ReviewStore; comparison: Comparison }) {
  const renditions = useRenditions(comparison.ids);
  if (!renditions) return null;
  return (
    <>
      <OtherVersion store={store} comparison={comparison} kind="audio" />
      <Waveform
        ids={comparison.ids}
        renditions={renditions}
        label={`Waveform of version ${comparison.versionNumber}`}
      />
    </>
  );
}

function loudnessHeights(values: readonly (number | null)[]): number[] {
  return values.map((value) => (value === null ? 0 : Math.min(1, Math.max(0, (value + 60) / 60))));
}
