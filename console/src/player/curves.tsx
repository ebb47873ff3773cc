import type { Measurements } from "@greenlit/sdk/src/generated.ts";
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { ReviewStore } from "../findings/review-store.ts";

type Series = { label: string; unit: string; note?: string; x: number[]; y: (number | null)[] };

/** Loudness and flashes over the same time as the timeline, with its playhead. */
export function Curves({ store }: { store: ReviewStore }) {
  const measured = store.measurements.value;
  const list = measured ? seriesOf(measured) : [];
  if (list.length === 0) return <p class="quiet curves-empty">Nothing was measured over time.</p>;
  return (
    <div class="curves">
      {list.map((series) => (
        <Curve key={series.label} store={store} series={series} />
      ))}
    </div>
  );
}

function Curve({ store, series }: { store: ReviewStore; series: Series }) {
  const holder = useRef<HTMLDivElement>(null);
  const { player } = store;
  const length = player.duration.value;
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const [line, quiet, text] = [colour(element, "accent"), colour(element, "line"), colour(element, "text")];
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: 72,
        legend: { show: false },
        cursor: { show: false },
        padding: [4, 0, 4, 0],
        scales: { x: { time: false, range: [0, length || (series.x.at(-1) ?? 1)] } },
        axes: [
          { show: false },
          {
            show: true,
            size: 32,
            stroke: text,
            grid: { stroke: quiet, width: 1 },
            ticks: { show: false },
            font: "10px system-ui",
            splits: (_plot, _axis, low, high) => [low, high],
            values: (_plot, splits) => splits.map((value) => value.toFixed(0)),
          },
        ],
        series: [{}, { stroke: line, width: 1.5, spanGaps: false, points: { show: false } }],
      },
      [series.x, series.y],
      element,
    );
    // An element of its own: drawing a two-hour curve anew at each frame would make the film stutter.
    const head = document.createElement("i");
    head.className = "curve-head";
    plot.over.append(head);
    const place = () => {
      head.style.left = `${plot.valToPos(player.time.value, "x")}px`;
    };
    const follow = effect(place);
    const observer = new ResizeObserver(() => {
      plot.setSize({ width: element.clientWidth, height: 72 });
      place();
    });
    observer.observe(element);
    plot.over.addEventListener("click", (event) => player.seek(plot.posToVal(event.offsetX, "x")));
    return () => {
      follow();
      observer.disconnect();
      plot.destroy();
    };
  }, [series.label, length]);
  return (
    <figure>
      <figcaption class="quiet">
        {series.label}, {series.unit}
        {series.note && <strong class="note">{series.note}</strong>}
      </figcaption>
      <div ref={holder} class="curve" />
    </figure>
  );
}

function seriesOf({ loudness, flashes }: Measurements): Series[] {
  const list: Series[] = [];
  if (loudness) {
    const { startSeconds, stepSeconds, momentaryLufs, shortTermLufs } = loudness.curve;
    const x = momentaryLufs.map((_, index) => startSeconds + (index + 1) * stepSeconds);
    const { integratedLufs, truePeakDbtp } = loudness;
    const note = [
      integratedLufs !== null && `integrated ${level(integratedLufs)} LUFS`,
      truePeakDbtp !== null && `true peak ${level(truePeakDbtp)} dBTP`,
    ];
    list.push({
      label: "Loudness, momentary",
      unit: "LUFS",
      note: note.filter((part) => part !== false).join(" · "),
      x,
      y: momentaryLufs,
    });
    if (shortTermLufs.some((value) => value !== null))
      list.push({ label: "Loudness, short-term", unit: "LUFS", x, y: shortTermLufs });
  }
  if (flashes && flashes.curve.generalPerSecond.length > 0) {
    const { stepSeconds, generalPerSecond, luminance } = flashes.curve;
    const x = generalPerSecond.map((_, index) => index * stepSeconds);
    list.push({ label: "Flashes", unit: "per second", x, y: generalPerSecond });
    list.push({ label: "Luminance", unit: "cd/m²", x: x.slice(0, luminance.length), y: luminance });
  }
  return list;
}

function level(value: number): string {
  return value.toFixed(1).replace("-", "−");
}

/** A canvas does not know the page's variables: the colour as the browser computed it. */
function colour(element: HTMLElement, name: string): string {
  element.style.color = `var(--${name})`;
  return getComputedStyle(element).color;
}
