import { useSignal } from "@preact/signals";
import type { NewReviewDecision } from "@greenlit/sdk/src/generated.ts";
import { greenlit, messageOf } from "../api/client.ts";
import { certify } from "../certificates/certify.ts";
import { may } from "../session/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { date, plural, words } from "../ui/format.ts";
import { formText } from "../ui/form-text.ts";
import { SeverityCounts } from "../ui/severity.tsx";
import { toast } from "../ui/toast.tsx";
import type { ReviewStore } from "./review-store.ts";

type Decision = NewReviewDecision["decision"];

const decisions: { value: Decision; about: string; role: "reviewer" | "approver" }[] = [
  { value: "approved", about: "It may run.", role: "approver" },
  { value: "approved_with_conditions", about: "It may run if what you write below holds.", role: "approver" },
  { value: "changes_requested", about: "It goes back to its maker.", role: "approver" },
  { value: "rejected", about: "It may not run.", role: "approver" },
  { value: "escalated", about: "Somebody else should look at it.", role: "reviewer" },
];

/** The decision about the whole asset. The service's rules have the last word, and say why. */
export function DecideAsset({ store, onClose }: { store: ReviewStore; onClose: () => void }) {
  const { review, params, undecidedCount } = store;
  const allowed = decisions.filter(({ role }) => may(role));
  const decision = useSignal<Decision>(allowed[0]?.value ?? "escalated");
  const error = useSignal("");
  const isBusy = useSignal(false);

  async function submit(form: HTMLFormElement): Promise<void> {
    const reason = formText(form, "reason");
    const conditions = formText(form, "conditions")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    isBusy.value = true;
    error.value = "";
    try {
      await greenlit.call("decideReview", {
        params,
        body: {
          decision: decision.value,
          ...(reason !== "" && { reason }),
          ...(decision.value === "approved_with_conditions" && { conditions }),
        },
      });
      await store.loadReview();
      const isApproved = decision.value === "approved" || decision.value === "approved_with_conditions";
      toast(words(decision.value), {
        ...(isApproved && { action: { label: "Certify", run: () => void certify(params) } }),
      });
      onClose();
    } catch (failure) {
      error.value = messageOf(failure);
    } finally {
      isBusy.value = false;
    }
  }

  const earlier = review.value?.decisions ?? [];
  return (
    <Dialog title="Decide about this asset" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        {review.value && (
          <p class="row">
            <SeverityCounts counts={review.value.openIssues} />
            <span class="quiet">
              {undecidedCount.value === 0
                ? "Every finding is decided."
                : `${plural(undecidedCount.value, "finding")} undecided.`}
            </span>
          </p>
        )}
        {error.value !== "" && (
          <p class="refusal" role="alert">
            {error.value}
          </p>
        )}
        <fieldset class="options">
          <legend class="sr">Decision</legend>
          {allowed.map(({ value, about }) => (
            <label key={value} class="option">
              <input
                type="radio"
                name="decision"
                checked={decision.value === value}
                onChange={() => (decision.value = value)}
              />
              <span>
                <strong>{words(value)}</strong>
                <small class="quiet">{about}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {decision.value === "approved_with_conditions" && (
          <label class="field">
            <span>Conditions, one a line</span>
            <textarea name="conditions" rows={2} required placeholder="After 21:00 only" />
          </label>
        )}
        <label class="field">
          <span>Reason</span>
          <textarea name="reason" rows={2} placeholder="What the next reader should know" />
        </label>
        {earlier.length > 0 && (
          <ul class="history" aria-label="Earlier decisions">
            {earlier.map(({ decisionId, decision, decidedBy, createdAt, reason, supersededBy }) => (
              <li key={decisionId} class={supersededBy === null ? "" : "quiet"}>
                {words(decision)} by {decidedBy.name ?? "an API key"}, {date(createdAt)}
                {reason && `: ${reason}`}
              </li>
            ))}
          </ul>
        )}
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy.value}>
            {words(decision.value)}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
