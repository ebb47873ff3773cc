import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { assetUrl, type AssetIds } from "../api/client.ts";
import type { Renditions } from "./renditions.ts";

type Props = {
  ids: AssetIds;
  renditions: Renditions;
  label: string;
  /** Drawn until the peaks are there, 0 to 1. */
  until?: readonly number[];
};

/** A sound as its peaks. */
export function Waveform({ ids, renditions, label, until = [] }: Props) {
  const peaks = useSignal<readonly number[]>([]);
  useEffect(() => {
    if (!renditions.hasWaveform) return;
    void fetch(assetUrl(ids, "waveform"))
      .then(async (response) => (response.ok ? ((await response.json()) as { peaks: number[] }) : { peaks: [] }))
      .then((answer) => (peaks.value = answer.peaks));
  }, [renditions.hasWaveform]);
  return <Bars heights={peaks.value.length > 0 ? peaks.value : until} label={label} />;
}

function Bars({ heights, label }: { heights: readonly number[]; label: string }) {
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
  return <canvas ref={canvas} class="waveform" role="img" aria-label={label} />;
}
