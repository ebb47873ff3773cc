import type { Issue } from "@greenlit/sdk/src/generated.ts";
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ReviewStore } from "../findings/review-store.ts";
import { clock, spokenTime, timecode, words } from "../ui/format.ts";
import { severities, SeverityMark, type Severity } from "../ui/severity.tsx";
import { Peek } from "./peek.tsx";
import type { Player } from "./player.ts";

/** The findings as ranges in lanes, one a severity, over one slider that is the playhead. */
export function Timeline({ store }: { store: ReviewStore }) {
  const { player, issues } = store;
  const track = useRef<HTMLDivElement>(null);
  const length = player.duration.value;
  const timed = issues.value.filter(({ location }) => location?.startSeconds !== null && location !== null);
  const lanes = severities.filter((severity) => timed.some((issue) => issue.severity === severity));
  const peek = useSignal<number | undefined>(undefined);
  const timeAt = (event: PointerEvent) => {
    const { left, width } = track.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
    return Math.min(1, Math.max(0, (event.clientX - left) / width)) * length;
  };
  const seekTo = (event: PointerEvent) => player.seek(timeAt(event));
  return (
    <div class="timeline">
      <div class="lane-names" aria-hidden="true">
        {lanes.map((severity) => (
          <span key={severity} title={words(severity)}>
            <SeverityMark severity={severity} size={10} />
          </span>
        ))}
      </div>
      <div
        ref={track}
        class="track"
        onPointerDown={(event) => {
          if (event.target instanceof HTMLElement && event.target.closest(".span")) return;
          track.current?.setPointerCapture(event.pointerId);
          seekTo(event);
        }}
        onPointerMove={(event) => {
          if (event.pointerType === "mouse") peek.value = timeAt(event);
          if (event.buttons === 1 && track.current?.hasPointerCapture(event.pointerId)) seekTo(event);
        }}
        onPointerLeave={() => (peek.value = undefined)}
      >
        {lanes.map((severity) => (
          <Lane key={severity} store={store} severity={severity} issues={timed} length={length} />
        ))}
        {lanes.length === 0 && <div class="lane" />}
        <Playhead player={player} />
        {peek.value !== undefined && length > 0 && <Peek store={store} seconds={peek.value} />}
      </div>
    </div>
  );
}

function Lane(props: { store: ReviewStore; severity: Severity; issues: Issue[]; length: number }) {
  const { store, severity, issues, length } = props;
  if (length === 0) return <div class="lane" />;
  return (
    <div class="lane">
      {issues
        .filter((issue) => issue.severity === severity)
        .map(({ id, location, status, summary }) => {
          const start = location?.startSeconds ?? 0;
          const end = Math.max(location?.endSeconds ?? start, start);
          const isDone = status === "RESOLVED" || status === "DISMISSED";
          return (
            <span
              key={id}
              class={`span ${severity.toLowerCase()} ${id === store.selectedId.value ? "selected" : ""} ${isDone ? "done" : ""}`}
              title={`${clock(start)} ${summary}`}
              style={{ left: `${(start / length) * 100}%`, width: `${((end - start) / length) * 100}%` }}
              onClick={() => store.select(id)}
            />
          );
        })}
    </div>
  );
}

function Playhead({ player }: { player: Player }) {
  const { time, duration, framesPerSecond } = player;
  const share = duration.value > 0 ? time.value / duration.value : 0;
  const keys: Record<string, () => void> = {
    ArrowLeft: () => player.step(-1),
    ArrowRight: () => player.step(1),
    PageUp: () => player.seek(time.value - 10),
    PageDown: () => player.seek(time.value + 10),
    Home: () => player.seek(0),
    End: () => player.seek(duration.value),
  };
  return (
    <div
      class="playhead"
      role="slider"
      tabIndex={0}
      aria-label="Playhead"
      aria-valuemin={0}
      aria-valuemax={Math.round(duration.value * 10) / 10}
      aria-valuenow={Math.round(time.value * 10) / 10}
      aria-valuetext={`${spokenTime(time.value)} of ${spokenTime(duration.value)}`}
      title={timecode(time.value, framesPerSecond.value)}
      style={{ left: `${share * 100}%` }}
      onKeyDown={(event) => {
        const run = event.shiftKey ? undefined : keys[event.key];
        if (!run) return;
        event.preventDefault();
        run();
      }}
    />
  );
}
