import { base } from "../api/client.ts";
import { certify } from "../certificates/certify.ts";
import { may } from "../session/session.ts";
import { Icon } from "../ui/icon.tsx";
import { Link } from "../ui/router.tsx";
import { toast } from "../ui/toast.tsx";
import type { ReviewStore } from "./review-store.ts";

/** The rest: for reports and integrations. */
export function MoreMenu({ store, onKeys }: { store: ReviewStore; onKeys: () => void }) {
  const { submissionId, assetId } = store.ids;
  const path = `/api/integrations/submissions/${submissionId}/assets/${assetId}`;
  const state = store.review.value?.state;
  const isApproved = state === "approved" || state === "approved_with_conditions";
  const copy = (text: string, said: string) => void navigator.clipboard?.writeText(text).then(() => toast(said));
  return (
    <>
      <button type="button" class="square plain" popovertarget="asset-menu" aria-label="More">
        <Icon name="more" />
      </button>
      <div id="asset-menu" popover="auto" class="menu asset-menu">
        <Link to={`/assets/${submissionId}/${assetId}/markets`}>All markets</Link>
        {isApproved && may("approver") && (
          <button type="button" class="plain" onClick={() => void certify(store.params)}>
            Certify…
          </button>
        )}
        <Link to={`/certificates?asset=${assetId}`}>Certificates</Link>
        <button type="button" class="plain" onClick={() => print()}>
          Print a report
        </button>
        <button type="button" class="plain" onClick={() => copy(linkTo(store), "The link is copied")}>
          Copy a link to this moment
        </button>
        <button
          type="button"
          class="plain"
          onClick={() =>
            copy(
              `curl -H "X-API-Key: $GREENLIT_API_KEY" '${location.origin}${base}${path}/issues'`,
              "The command is copied",
            )
          }
        >
          Copy as curl
        </button>
        <a href={`${base}${path}/original`} download>
          Download the original
        </a>
        <button type="button" class="plain" onClick={onKeys}>
          Keys
        </button>
      </div>
    </>
  );
}

/** Where the playhead is now; what is chosen may lie elsewhere. */
function linkTo({ player, selected }: ReviewStore): string {
  const values = new URLSearchParams();
  if (player.duration.value > 0) values.set("t", player.time.value.toFixed(3));
  if (selected.value) values.set("issue", String(selected.value.referenceNumber));
  const { origin, pathname } = location;
  return `${origin}${pathname}${values.size > 0 ? `#${values.toString()}` : ""}`;
}
