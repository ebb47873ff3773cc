import { base } from "../api/client.ts";
import { Icon } from "../ui/icon.tsx";
import { toast } from "../ui/toast.tsx";
import type { ReviewStore } from "./review-store.ts";

/** The rest: for reports and integrations. */
export function MoreMenu({ store, onKeys }: { store: ReviewStore; onKeys: () => void }) {
  const { submissionId, assetId } = store.ids;
  const path = `/api/integrations/submissions/${submissionId}/assets/${assetId}`;
  const copy = (text: string, said: string) => void navigator.clipboard?.writeText(text).then(() => toast(said));
  return (
    <>
      <button type="button" class="square plain" popovertarget="asset-menu" aria-label="More">
        <Icon name="more" />
      </button>
      <div id="asset-menu" popover="auto" class="menu asset-menu">
        <button type="button" class="plain" onClick={() => print()}>
          Print a report
        </button>
        <button type="button" class="plain" onClick={() => copy(location.href, "The link is copied")}>
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
