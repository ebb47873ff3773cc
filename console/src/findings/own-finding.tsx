import { useSignal } from "@preact/signals";
import { greenlit, messageOf } from "../api/client.ts";
import { Field } from "../session/field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { clock, words } from "../ui/format.ts";
import { formText } from "../ui/form-text.ts";
import { severities, type Severity } from "../ui/severity.tsx";
import type { ReviewStore } from "./review-store.ts";

/** What no rule found: drawn on the picture, then named. */
export function OwnFinding({ store }: { store: ReviewStore }) {
  const { drawing, player, params } = store;
  const error = useSignal("");
  if (drawing.value?.purpose !== "finding") return null;
  const close = () => (drawing.value = undefined);
  const { page } = drawing.value;
  // Of a sound, or of a page without a picture, there is nothing to draw on.
  const box = drawing.value.box ?? (document.querySelector(".boxes") ? undefined : whole);
  if (!box)
    return (
      <div class="hint" role="status">
        <span>Draw a box on the picture.</span>
        <button type="button" class="small" onClick={() => (drawing.value = { purpose: "finding", box: whole })}>
          Whole picture
        </button>
        <button type="button" class="plain small" onClick={close}>
          Cancel
        </button>
      </div>
    );
  const isTimed = player.duration.value > 0;
  const start = player.time.value;
  const submit = async (form: HTMLFormElement) => {
    const [reasoning, recommendation] = [formText(form, "reasoning"), formText(form, "recommendation")];
    try {
      const issue = await greenlit.call("reportIssue", {
        params,
        body: {
          summary: formText(form, "summary"),
          severity: formText(form, "severity") as Severity,
          ...(reasoning !== "" && { reasoning }),
          ...(recommendation !== "" && { recommendation }),
          location: {
            ...(box !== whole && { region: box }),
            ...(page && { page }),
            ...(isTimed && { startSeconds: start, endSeconds: start }),
          },
        },
      });
      close();
      await Promise.all([store.loadIssues(), store.loadReview()]);
      store.select(issue.id);
    } catch (failure) {
      error.value = messageOf(failure);
    }
  };
  return (
    <Dialog title={isTimed ? `A finding at ${clock(start)}` : "A finding of your own"} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        {error.value !== "" && (
          <p class="refusal" role="alert">
            {error.value}
          </p>
        )}
        <Field label="What is wrong" name="summary" required autofocus />
        <label class="field">
          <span>Severity</span>
          <select name="severity">
            {severities.map((severity) => (
              <option key={severity} value={severity} selected={severity === "MAJOR"}>
                {words(severity)}
              </option>
            ))}
          </select>
        </label>
        <Field label="Why" name="reasoning" />
        <Field label="What to do" name="recommendation" />
        <footer>
          <button type="submit" class="primary">
            Add finding
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

const whole = { x: 0, y: 0, width: 1, height: 1 };
