import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ReviewStore } from "../findings/review-store.ts";
import { OtherVersion } from "./other-version.tsx";

type Props = {
  store: ReviewStore;
  kind: "video" | "image";
  size: { width: number; height: number };
  children: ComponentChildren;
};

/** The picture of the page, alone or together with that of another version. */
export function Pair({ store, kind, size, children }: Props) {
  const comparison = store.comparison.value;
  const wipe = useSignal(50);
  const style = { aspectRatio: `${size.width} / ${size.height}`, "--ratio": `${size.width / size.height}` };
  const mode = comparison?.mode;
  const other = comparison && (
    <OtherVersion key={comparison.ids.assetId} store={store} comparison={comparison} kind={kind} />
  );
  return (
    <div class={mode === "side" ? "pair" : "single"}>
      {mode === "side" && (
        <div class="pane">
          <div class="picture" style={style}>
            {other}
          </div>
        </div>
      )}
      <div class="pane">
        <div class="picture" style={style}>
          {children}
          {mode === "flick" && (
            <div class="over" hidden={comparison?.shows === "own"}>
              {other}
            </div>
          )}
          {mode === "wipe" && (
            <>
              <div class="over" style={{ clipPath: `inset(0 ${100 - wipe.value}% 0 0)` }}>
                {other}
              </div>
              <i class="wipe-line" style={{ left: `${wipe.value}%` }} />
              <input
                class="wipe"
                type="range"
                min={0}
                max={100}
                step={0.5}
                value={wipe.value}
                aria-label="How much of the other version is seen, in percent"
                onInput={(event) => (wipe.value = Number(event.currentTarget.value))}
              />
            </>
          )}
        </div>
      </div>
    </div>
  );
}
