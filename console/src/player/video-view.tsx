import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { assetUrl } from "../api/client.ts";
import type { ReviewStore } from "../findings/review-store.ts";
import { Dialog } from "../ui/dialog.tsx";
import { clock } from "../ui/format.ts";
import { BoxLayer } from "./box-layer.tsx";
import { Pair } from "./pair.tsx";
import { isBeingMade, mediaUrl, type Renditions } from "./renditions.ts";

export function VideoView({ store, renditions }: { store: ReviewStore; renditions: Renditions }) {
  const { player, ids } = store;
  const video = useRef<HTMLVideoElement>(null);
  const isUnplayable = useSignal(false);
  const isAsking = useSignal(false);
  const isAllowed = useRef(false);
  // Once: what is playing must not begin anew when something better is ready.
  const url = useSignal(mediaUrl(ids, renditions));
  useEffect(() => (video.current ? player.attach(video.current) : undefined), [isUnplayable.value]);
  useEffect(() => {
    const better = mediaUrl(ids, renditions);
    if (!isUnplayable.value || better === url.value) return;
    url.value = better;
    isUnplayable.value = false;
  }, [renditions.media === null, isUnplayable.value]);
  useEffect(() => {
    player.askBeforePlay(() => {
      if (isAllowed.current || !mayFlash(store)) return true;
      isAsking.value = true;
      return false;
    });
  }, []);
  const { width, height } = player.size.value ?? { width: 16, height: 9 };
  return (
    <div class="stage">
      <Pair store={store} kind="video" size={{ width, height }}>
        {isUnplayable.value ? (
          <FrameOfFinding store={store} renditions={renditions} />
        ) : (
          <video
            ref={video}
            src={url.value}
            preload="auto"
            {...(renditions.poster && { poster: assetUrl(ids, "poster") })}
            playsInline
            aria-label={store.asset.value?.filename}
            onClick={() => store.drawing.value === undefined && player.toggle()}
            onError={() => {
              isUnplayable.value = true;
              player.withoutMedia(lengthOf(store));
            }}
          />
        )}
        <BoxLayer store={store} />
      </Pair>
      {renditions.media?.isToneMapped && (
        <p class="colour-note">HDR, shown in the standard range. Colours are not exact.</p>
      )}
      {isAsking.value && (
        <Dialog title="This clip flashes" onClose={() => (isAsking.value = false)}>
          <p>
            It has flashes or patterns that can trigger a seizure in people with photosensitive epilepsy. The frames can
            be looked at one by one without playing it.
          </p>
          <footer>
            <button type="button" onClick={() => (isAsking.value = false)}>
              Do not play
            </button>
            <button
              type="button"
              class="primary"
              onClick={() => {
                isAllowed.current = true;
                isAsking.value = false;
                player.toggle();
              }}
            >
              Play it
            </button>
          </footer>
        </Dialog>
      )}
    </div>
  );
}

/** A browser that cannot play the file still shows the picture at each finding. */
function FrameOfFinding({ store, renditions }: { store: ReviewStore; renditions: Renditions }) {
  const { selected, ids } = store;
  const start = selected.value?.location?.startSeconds ?? null;
  if (!selected.value || start === null)
    return (
      <p class="no-media">
        {isBeingMade(renditions)
          ? `A copy that browsers can play is being made (${renditions.progressPercent} %).`
          : "This browser cannot play the file as it is."}
        <br />
        Choose a finding to see its frame.
      </p>
    );
  return (
    <img
      src={assetUrl(ids, `issues/${selected.value.id}/frame`)}
      alt={`The picture at ${clock(start)}`}
      onError={(event) => event.currentTarget.removeAttribute("src")}
    />
  );
}

function mayFlash(store: ReviewStore): boolean {
  const { flashes, patterns } = store.measurements.value ?? {};
  const isFound = store.issues.value.some(({ sidekickName }) => /photosens|flash/i.test(sidekickName));
  return isFound || (flashes?.sequences.length ?? 0) > 0 || (patterns?.patterns.length ?? 0) > 0;
}

function lengthOf({ issues, measurements }: ReviewStore): number {
  const { curve } = measurements.value?.loudness ?? {};
  const heard = curve ? curve.startSeconds + curve.stepSeconds * curve.momentaryLufs.length : 0;
  return Math.max(heard, ...issues.value.map(({ location }) => location?.endSeconds ?? location?.startSeconds ?? 0));
}
