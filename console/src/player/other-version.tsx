import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ReviewStore } from "../findings/review-store.ts";
import type { Comparison } from "./comparison.ts";
import { Picture } from "./picture.tsx";
import { mediaUrl, useRenditions, type Renditions } from "./renditions.ts";

type Props = { store: ReviewStore; comparison: Comparison; kind: "video" | "audio" | "image" };

/** The other version at the same moment. It has no playhead of its own. */
export function OtherVersion({ store, comparison, kind }: Props) {
  const renditions = useRenditions(comparison.ids);
  const { versionNumber } = comparison;
  if (!renditions) return null;
  if (kind === "image")
    return <Picture ids={comparison.ids} renditions={renditions} alt={`Version ${versionNumber}`} />;
  return <Follower store={store} comparison={comparison} kind={kind} renditions={renditions} />;
}

function Follower(props: Props & { renditions: Renditions; kind: "video" | "audio" }) {
  const { store, comparison, renditions, kind } = props;
  const { player } = store;
  const element = useRef<HTMLVideoElement>(null);
  const isUnplayable = useSignal(false);
  const isHeard = comparison.mode === "flick" && comparison.shows === "other";
  useEffect(() => {
    const media = element.current;
    if (!media) return;
    return effect(() => {
      const now = player.time.value;
      const isPlaying = player.isPlaying.value;
      media.muted = !isHeard || player.isMuted.value;
      // While both play, a small difference is left alone: each correction would make the picture stutter.
      if (Math.abs(media.currentTime - now) > (isPlaying ? 0.12 : 0.002)) media.currentTime = now + 0.001;
      if (isPlaying && media.paused) void media.play().catch(() => undefined);
      if (!isPlaying && !media.paused) media.pause();
      media.playbackRate = player.rate();
    });
  }, [isUnplayable.value, isHeard]);
  useEffect(() => {
    player.duck(isHeard);
    return () => player.duck(false);
  }, [isHeard]);
  if (isUnplayable.value)
    return <p class="no-media">This browser cannot play version {comparison.versionNumber} yet.</p>;
  const common = {
    src: mediaUrl(comparison.ids, renditions),
    preload: "auto" as const,
    onError: () => (isUnplayable.value = true),
    // Its first moment is shown until somebody moves: go to where the other one is.
    onLoadedMetadata: () => element.current && (element.current.currentTime = player.time.value + 0.001),
  };
  return kind === "audio" ? (
    <audio ref={element} {...common} />
  ) : (
    <video ref={element} {...common} playsInline muted aria-label={`Version ${comparison.versionNumber}`} />
  );
}
