import { signal, useSignal, type Signal } from "@preact/signals";
import type { ReviewStore } from "../findings/review-store.ts";
import { parseTime, timecode } from "../ui/format.ts";
import { formText } from "../ui/form-text.ts";
import { may } from "../session/session.ts";
import { Icon } from "../ui/icon.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../session/field.tsx";
import type { Player } from "./player.ts";

export const isGoingTo = signal(false);

/** Play, frame steps, and where the playhead is, in frames; of every file the way to the next finding. */
export function Controls(props: { store: ReviewStore; hasTime: boolean; hasCurves: Signal<boolean> }) {
  const { store, hasTime, hasCurves } = props;
  const { player, undecidedCount } = store;
  return (
    <div class="controls">
      {hasTime && (
        <>
          <button
            type="button"
            class="square"
            aria-label={player.isPlaying.value ? "Pause" : "Play"}
            title="Space"
            onClick={player.toggle}
          >
            <Icon name={player.isPlaying.value ? "pause" : "play"} />
          </button>
          <button
            type="button"
            class="square plain"
            aria-label="One frame back"
            title="←"
            onClick={() => player.step(-1)}
          >
            <Icon name="back" />
          </button>
          <button type="button" class="square plain" aria-label="One frame on" title="→" onClick={() => player.step(1)}>
            <Icon name="next" />
          </button>
          <Clock player={player} />
          <button
            type="button"
            class="square plain"
            aria-label={player.isMuted.value ? "Sound on" : "Mute"}
            onClick={() => player.mute()}
          >
            <Icon name={player.isMuted.value ? "mute" : "sound"} />
          </button>
        </>
      )}
      <span class="spacer" />
      {hasTime && (
        <button
          type="button"
          class="small plain"
          aria-pressed={hasCurves.value}
          onClick={() => (hasCurves.value = !hasCurves.value)}
        >
          Curves
        </button>
      )}
      {may("reviewer") && (
        <button
          type="button"
          class="small plain"
          title="B"
          onClick={() => (store.drawing.value = { purpose: "finding" })}
        >
          Add finding
        </button>
      )}
      <button
        type="button"
        class="small"
        disabled={undecidedCount.value === 0}
        onClick={() => store.selectUndecided(1)}
      >
        Next undecided <kbd>N</kbd>
      </button>
      {isGoingTo.value && <GoTo player={player} />}
    </div>
  );
}

function Clock({ player }: { player: Player }) {
  const { time, duration, framesPerSecond } = player;
  return (
    <button type="button" class="plain timecode" title="Go to a time (G)" onClick={() => (isGoingTo.value = true)}>
      <span class="now">{timecode(time.value, framesPerSecond.value)}</span>
      <span class="quiet"> / {timecode(duration.value, framesPerSecond.value)}</span>
    </button>
  );
}

function GoTo({ player }: { player: Player }) {
  const isWrong = useSignal(false);
  const close = () => (isGoingTo.value = false);
  return (
    <Dialog title="Go to" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const text = formText(event.currentTarget, "time");
          const seconds = parseTime(text, player.framesPerSecond.value);
          isWrong.value = seconds === undefined;
          if (seconds === undefined) return;
          player.seek(seconds);
          close();
        }}
      >
        <Field
          label="Time"
          name="time"
          autofocus
          placeholder="00:00:12:10"
          hint="Seconds, m:ss, or hh:mm:ss:ff"
          isWrong={isWrong.value}
        />
        <footer>
          <button type="submit" class="primary">
            Go
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
