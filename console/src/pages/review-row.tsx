import type { Review } from "@greenlit/sdk/src/generated.ts";
import type { ComponentChildren } from "preact";
import { assetUrl } from "../api/client.ts";
import { ago, date, words } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Link } from "../ui/router.tsx";
import { SeverityCounts, SeverityMark } from "../ui/severity.tsx";

type Kind = { label: string; icon: IconName };

const kinds: [RegExp, Kind][] = [
  [/^video|mxf/, { label: "Video", icon: "play" }],
  [/^audio/, { label: "Audio", icon: "sound" }],
  [/^image/, { label: "Image", icon: "box" }],
];

function kindOf(mimeType: string): Kind {
  return kinds.find(([pattern]) => pattern.test(mimeType))?.[1] ?? { label: "Document", icon: "rules" };
}

export function ReviewRow({ review, children }: { review: Review; children?: ComponentChildren }) {
  const { submissionId, assetId, filename, versionNumber, markets, state, severity, openIssues, assignee } = review;
  const isHeld = review.claim !== null && Date.parse(review.claim.until) > Date.now();
  const kind = kindOf(review.mimeType);
  return (
    <li class={`row-item ${severity?.toLowerCase() ?? "clear"}`}>
      <Link to={`/assets/${submissionId}/${assetId}`}>
        <span class="lead" aria-hidden="true">
          {severity ? <SeverityMark severity={severity} size={14} /> : <span class="tick">✓</span>}
        </span>
        <span class="thumbnail" aria-hidden="true">
          {review.hasThumbnail ? (
            <img src={assetUrl(review, "thumbnail")} alt="" loading="lazy" decoding="async" />
          ) : (
            <Icon name={kind.icon} />
          )}
        </span>
        <span class="what">
          <strong class="cut" dir="auto">
            {filename}
          </strong>
          <small class="quiet cut">
            {kind.label}
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
      {children}
    </li>
  );
}

export function StateBadge({ state }: { state: Review["state"] }) {
  return <span class={`badge ${state}`}>{words(state)}</span>;
}
