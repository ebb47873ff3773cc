import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { clock, date, words } from "../ui/format.ts";
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

/** What is on paper: the file, the decisions, and every finding with its rule. */
function Report({ store }: { store: ReviewStore }) {
  const { asset, review, visible } = store;
  return (
    <article class="report" aria-hidden="true">
      <h1>{asset.value?.filename}</h1>
      <p>
        Version {asset.value?.versionNumber} · SHA-256 {asset.value?.sha256 ?? "not known"} ·{" "}
        {review.value?.markets.join(", ")}
      </p>
      <p>
        <strong>{words(review.value?.state ?? "")}</strong>
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
          {visible.value.map(({ id, referenceNumber, severity, location, summary, ruleCode, citation, status }) => (
            <tr key={id}>
              <td>{referenceNumber}</td>
              <td>{words(severity)}</td>
              <td>
                {location?.startSeconds !== null && location?.startSeconds !== undefined
                  ? clock(location.startSeconds)
                  : location?.page
                    ? `p. ${location.page}`
                    : ""}
              </td>
              <td>{summary}</td>
              <td>
                {ruleCode}
                {citation && `, ${citation.clause}`}
              </td>
              <td>{words(status)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}
