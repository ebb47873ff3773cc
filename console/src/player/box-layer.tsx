import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Box, ReviewStore } from "../findings/review-store.ts";
import { SeverityMark } from "../ui/severity.tsx";

const percent = (value: number) => `${value * 100}%`;

function styleOf({ x, y, width, height }: Box) {
  return { left: percent(x), top: percent(y), width: percent(width), height: percent(height) };
}

/** The boxes of the findings over the picture, and the one that somebody draws. */
export function BoxLayer({ store, page }: { store: ReviewStore; page?: number }) {
  const { selected, issues, drawing } = store;
  const current = new Set(store.current.value.split(" "));
  const boxes = issues.value.filter(
    ({ id, location }) =>
      location?.region &&
      (page === undefined || location.page === page) &&
      (id === selected.value?.id || (page === undefined ? current.has(id) || location.startSeconds === null : true)),
  );
  return (
    <div class="boxes">
      {boxes.map(({ id, severity, summary, location }) => (
        <button
          key={id}
          type="button"
          class={`box ${severity.toLowerCase()} ${id === selected.value?.id ? "selected" : ""}`}
          style={location?.region ? styleOf(location.region) : {}}
          aria-label={summary}
          title={summary}
          onClick={() => store.select(id, { seek: false })}
        >
          <SeverityMark severity={severity} />
        </button>
      ))}
      {drawing.value && <Pen store={store} {...(page !== undefined && { page })} />}
    </div>
  );
}

function Pen({ store, page }: { store: ReviewStore; page?: number }) {
  const { drawing } = store;
  const layer = useRef<HTMLDivElement>(null);
  const start = useRef<{ x: number; y: number } | undefined>(undefined);
  const box = useSignal<Box | undefined>(drawing.value?.box);
  const at = (event: PointerEvent) => {
    const { left, top, width, height } = layer.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
    const share = (value: number) => Math.min(1, Math.max(0, value));
    return { x: share((event.clientX - left) / width), y: share((event.clientY - top) / height) };
  };
  return (
    <div
      ref={layer}
      class="pen"
      onPointerDown={(event) => {
        layer.current?.setPointerCapture(event.pointerId);
        start.current = at(event);
      }}
      onPointerMove={(event) => {
        if (!start.current) return;
        const [a, b] = [start.current, at(event)];
        box.value = {
          x: Math.min(a.x, b.x),
          y: Math.min(a.y, b.y),
          width: Math.abs(a.x - b.x),
          height: Math.abs(a.y - b.y),
        };
      }}
      onPointerUp={() => {
        start.current = undefined;
        const drawn = box.value;
        if (drawing.value && drawn && drawn.width > 0.005 && drawn.height > 0.005)
          drawing.value = { ...drawing.value, box: drawn, ...(page !== undefined && { page }) };
      }}
    >
      {box.value && <div class="box drawn" style={styleOf(box.value)} />}
    </div>
  );
}
