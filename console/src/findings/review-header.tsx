import { useSignal } from "@preact/signals";
import { greenlit } from "../api/client.ts";
import { StateBadge } from "../pages/review-row.tsx";
import { may, me } from "../session/session.ts";
import { compare } from "../player/comparison.ts";
import { Icon } from "../ui/icon.tsx";
import { Link } from "../ui/router.tsx";
import { attempt } from "../ui/toast.tsx";
import { DecideAsset } from "./decide-asset.tsx";
import { MoreMenu } from "./more-menu.tsx";
import { members } from "./people-names.ts";
import type { ReviewStore } from "./review-store.ts";

/** What it is, how it stands, who has it, and the way to decide. */
export function ReviewHeader({ store, onKeys }: { store: ReviewStore; onKeys: () => void }) {
  const { asset, review, undecidedCount, comparison } = store;
  const isDeciding = useSignal(false);
  const claim = review.value?.claim;
  const isForeign = claim !== null && claim !== undefined && claim.holderId !== me.value?.personId;
  return (
    <header class="asset-head">
      <Link to="/" class="square plain button" aria-label="Back to the queue">
        <Icon name="back" />
      </Link>
      <div class="title">
        <h1 class="cut" dir="auto" title={asset.value?.filename}>
          {asset.value?.filename}
        </h1>
        <p class="quiet">
          Version {asset.value?.versionNumber}
          {review.value && review.value.markets.length > 0 && ` · ${review.value.markets.join(", ")}`}
          {` · ${undecidedCount.value === 0 ? "every finding decided" : `${undecidedCount.value.toLocaleString("en")} undecided`} · `}
          <Link to={`/assets/${store.ids.submissionId}/${store.ids.assetId}/markets`}>All markets</Link>
        </p>
      </div>
      {(asset.value?.versionNumber ?? 1) > 1 && (
        <button
          type="button"
          class="compare"
          aria-pressed={comparison.value !== undefined}
          onClick={() => {
            if (comparison.value) comparison.value = undefined;
            else void compare(store);
          }}
        >
          <Icon name="compare" /> Compare
        </button>
      )}
      {review.value && <StateBadge state={review.value.state} />}
      {isForeign && claim && <span class="badge held">{claim.name ?? "Somebody"} is reviewing</span>}
      {review.value && may("reviewer") && <Assignee store={store} />}
      {review.value && may("reviewer") && (
        <button type="button" class="primary" onClick={() => (isDeciding.value = true)}>
          Decide…
        </button>
      )}
      <MoreMenu store={store} onKeys={onKeys} />
      {isDeciding.value && <DecideAsset store={store} onClose={() => (isDeciding.value = false)} />}
    </header>
  );
}

function Assignee({ store }: { store: ReviewStore }) {
  const { review, params } = store;
  const assign = (assigneeId: string | null) =>
    void attempt(async () => {
      review.value = await greenlit.call("changeReview", { params, body: { assigneeId } });
    });
  const able = members.value.filter(({ role, isDisabled }) => role !== "viewer" && !isDisabled);
  return (
    <select
      class="assignee"
      aria-label="Assigned to"
      value={review.value?.assignee?.personId ?? ""}
      onChange={(event) => assign(event.currentTarget.value || null)}
    >
      <option value="">Unassigned</option>
      {able.map(({ personId, name }) => (
        <option key={personId} value={personId}>
          {personId === me.value?.personId ? `${name} (me)` : name}
        </option>
      ))}
    </select>
  );
}
