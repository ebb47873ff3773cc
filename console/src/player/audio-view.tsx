import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { assetUrl } from "../api/client.ts";
import type { ReviewStore } from "../findings/review-store.ts";
import { isBeingMade, mediaUrl, type Renditions } from "./renditions.ts";

/** A sound, seen as its waveform. */
export function AudioView({ store, renditions }: { store: ReviewStore; renditions: Renditions }) {
  const { player, ids, measurements } = store;
  const audio = useRef<HTMLAudioElement>(null);
  const isUnplayable = useSignal(false);
  const peaks = useSignal<number[]>([]);
  useEffect(() => (audio.current ? player.attach(audio.current) : undefined), []);
  useEffect(() => {
    if (!renditions.hasWaveform) return;
    void fetch(assetUrl(ids, "waveform"))
      .then(async (response) => (response.ok ? ((await response.json()) as { peaks: number[] }) : { peaks: [] }))
      .then((answer) => (peaks.value = answer.peaks));
  }, [renditions.hasWaveform]);
  // Once: what is playing must not begin anew when something better is ready.
  const url = useSignal(mediaUrl(ids, renditions));
  useEffect(() => {
    const better = mediaUrl(ids, renditions);
    if (!isUnplayable.value || better === url.value) return;
    url.value = better;
    isUnplayable.value = false;
  }, [renditions.media === null, isUnplayable.value]);
  // Until the peaks are there, the loudness draws much the same picture.
  const heights =
    peaks.value.length > 0 ? peaks.value : loudnessHeights(measurements.value?.loudness?.curve.momentaryLufs ?? []);
  return (
    <div class="stage audio">
      <audio ref={audio} src={url.value} preload="auto" onError={() => (isUnplayable.value = true)} />
      <Waveform heights={heights} />
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

function Waveform({ heights }: { heights: readonly number[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context || heights.length === 0) return;
    const draw = () => {
      const { clientWidth: width, clientHeight: height } = element;
      element.width = width * devicePixelRatio;
      element.height = height * devicePixelRatio;
      context.scale(devicePixelRatio, devicePixelRatio);
      context.fillStyle = getComputedStyle(element).color;
      const bars = Math.floor(width / 3);
      for (let bar = 0; bar < bars; bar += 1) {
        const from = Math.floor((bar / bars) * heights.length);
        const to = Math.max(from + 1, Math.floor(((bar + 1) / bars) * heights.length));
        const peak = Math.max(0.01, ...heights.slice(from, to));
        context.fillRect(bar * 3, (height * (1 - peak)) / 2, 2, height * peak);
      }
    };
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [heights]);
  return <canvas ref={canvas} class="waveform" role="img" aria-label="Waveform" />;
}

function loudnessHeights(values: readonly (number | null)[]): number[] {
  return values.map((value) => (value === null ? 0 : Math.min(1, Math.max(0, (value + 60) / 60))));
}
