import type { Review } from "@greenlit/sdk/src/generated.ts";
import { ago, date, words } from "../ui/format.ts";
import { Link } from "../ui/router.tsx";
import { SeverityCounts, SeverityMark } from "../ui/severity.tsx";

const kinds: [RegExp, string][] = [
  [/^video|mxf/, "Video"],
  [/^audio/, "Audio"],
  [/^image/, "Image"],
];

function kindOf(mimeType: string): string {
  return kinds.find(([pattern]) => pattern.test(mimeType))?.[1] ?? "Document";
}

export function ReviewRow({ review }: { review: Review }) {
  const { submissionId, assetId, filename, versionNumber, markets, state, severity, openIssues, assignee } = review;
  const isHeld = review.claim !== null && Date.parse(review.claim.until) > Date.now();
  return (
    <li class={`row-item ${severity?.toLowerCase() ?? "clear"}`}>
      <Link to={`/assets/${submissionId}/${assetId}`}>
        <span class="lead" aria-hidden="true">
          {severity ? <SeverityMark severity={severity} size={14} /> : <span class="tick">✓</span>}
        </span>
        <span class="what">
          <strong class="cut">{filename}</strong>
          <small class="quiet cut">
            {kindOf(review.mimeType)}
            {versionNumber > 1 && ` · version ${versionNumber}`}
            {markets.length > 0 && ` · ${markets.join(", ")}`}
          </small>
        </span>
        <SeverityCounts counts={openIssues} />
        <StateBadge state={state} />
        <span class="who quiet cut">
          {isHeld && review.claim ? `${review.claim.name ?? "Somebody"} is reviewing` : (assignee?.name ?? "")}
        </span>
        <time class="quiet" dateTime={review.updatedAt} title={date(review.updatedAt)}>
          {ago(review.updatedAt)}
        </time>
      </Link>
    </li>
  );
}

export function StateBadge({ state }: { state: Review["state"] }) {
  return <span class={`badge ${state}`}>{words(state)}</span>;
}
