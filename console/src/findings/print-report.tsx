import type { Issue } from "@greenlit/sdk/src/generated.ts";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { clock, date, plural, words } from "../ui/format.ts";
import { me, workspace } from "../session/session.ts";
import { orderIssues } from "./order-issues.ts";
import type { ReviewStore } from "./review-store.ts";

/** On the screen it would only make a long list slow. */
export function PrintReport({ store }: { store: ReviewStore }) {
  const isPrinting = useSignal(false);
  useEffect(() => {
    const begin = () => (isPrinting.value = true);
    const end = () => (isPrinting.value = false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting.value ? <Report store={store} /> : null;
}

/** What is on paper: the file, the decisions, and every finding with its rule, whatever the list is narrowed to. */
function Report({ store }: { store: ReviewStore }) {
  const { asset, review, issues, missingCount } = store;
  return (
    <article class="report" aria-hidden="true">
      <h1>{asset.value?.filename}</h1>
      <p>
        Version {asset.value?.versionNumber} · SHA-256 {asset.value?.sha256 ?? "not known"} ·{" "}
        {review.value?.markets.join(", ")}
      </p>
      <p>
        {workspace.value?.name} · printed by {me.value?.name}, {date(new Date().toISOString())}
      </p>
      <p>
        <strong>{words(review.value?.state ?? "")}</strong> · {plural(issues.value.length, "finding")}
        {missingCount.value > 0 && `, and ${missingCount.value} that were still loading: print again`}
      </p>
      {review.value?.decisions.map(({ decisionId, decision, decidedBy, createdAt, reason }) => (
        <p key={decisionId}>
          {words(decision)} by {decidedBy.name ?? "an API key"}, {date(createdAt)}
          {reason && `: ${reason}`}
        </p>
      ))}
      <table>
        <thead>
          <tr>
            <th>#</th>
            <th>Severity</th>
            <th>Where</th>
            <th>Finding</th>
            <th>Rule</th>
            <th>Status</th>
          </tr>
        </thead>
        <tbody>
          {orderIssues(issues.value, { order: "severity", topics: undefined }).map((issue) => (
            <tr key={issue.id}>
              <td>{issue.referenceNumber}</td>
              <td>{words(issue.severity)}</td>
              <td>{placeOf(issue)}</td>
              <td>
                <strong>{issue.summary}</strong>
                {issue.recommendation !== "" && <p>{issue.recommendation}</p>}
              </td>
              <td>
                {issue.ruleCode}
                {issue.citation && `, ${issue.citation.clause}`}
              </td>
              <td>{words(issue.status)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}

function placeOf({ location }: Issue): string {
  if (typeof location?.startSeconds === "number") return clock(location.startSeconds);
  return location?.page ? `p. ${location.page}` : "";
}
