import { useSignal } from "@preact/signals";
import type { Issue, IssueWithHistory } from "@greenlit/sdk/src/generated.ts";
import { useEffect } from "preact/hooks";
import { assetUrl, greenlit } from "../api/client.ts";
import { may } from "../session/session.ts";
import { clock, date, words } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Decide } from "./decide.tsx";
import { personName } from "./people-names.ts";
import type { ReviewStore } from "./review-store.ts";

/** Everything about one finding: what, why, by which rule, what to do, and what was decided before. */
export function FindingCard({ store, issue }: { store: ReviewStore; issue: Issue }) {
  const { location, measurement, citation, precedents } = issue;
  const [start, end] = [location?.startSeconds ?? null, location?.endSeconds ?? null];
  return (
    <div class="finding-card">
      {may("reviewer") && <Decide store={store} issue={issue} />}
      <p class="headline">{issue.severityReasoningHeadline}</p>
      <p>{issue.severityReasoning}</p>
      {location?.quote && <blockquote>{location.quote}</blockquote>}
      <Frame store={store} issue={issue} />
      <dl>
        {start !== null && (
          <>
            <dt>When</dt>
            <dd>
              <button type="button" class="link" onClick={() => store.player.seek(start)}>
                {clock(start)}
              </button>
              {end !== null && end > start && (
                <>
                  {" to "}
                  <button type="button" class="link" onClick={() => store.player.seek(end)}>
                    {clock(end)}
                  </button>
                </>
              )}
            </dd>
          </>
        )}
        {location?.page && (
          <>
            <dt>Where</dt>
            <dd>Page {location.page}</dd>
          </>
        )}
        {measurement && (
          <>
            <dt>Measured</dt>
            <dd class="figures">
              <strong>
                {figure(measurement.value)} {measurement.unit}
              </strong>
              {measurement.limit !== null && (
                <span class="quiet">
                  {" "}
                  against a limit of {figure(measurement.limit)} {measurement.unit}
                </span>
              )}
            </dd>
          </>
        )}
        {issue.recommendation && (
          <>
            <dt>Do</dt>
            <dd>{issue.recommendation}</dd>
          </>
        )}
        {issue.secondReader && (
          <>
            <dt>Model</dt>
            <dd>
              {issue.secondReader.explanation}
              {issue.secondReader.rewording !== null && <q>{issue.secondReader.rewording}</q>}
              <br />
              <span class="quiet">The opinion of a language model</span>
            </dd>
          </>
        )}
        <dt>Rule</dt>
        <dd>
          {issue.ruleSummary} <code>{issue.ruleCode}</code>
          <br />
          <span class="quiet">
            {issue.sidekickName} {issue.packVersion}
          </span>
        </dd>
        {citation && (
          <>
            <dt>Clause</dt>
            <dd>
              <a href={citation.url} target="_blank" rel="noreferrer">
                {citation.clause} <Icon name="external" size={12} />
              </a>
            </dd>
          </>
        )}
      </dl>
      {precedents.length > 0 && (
        <details>
          <summary>{precedents.length === 1 ? "1 precedent" : `${precedents.length} precedents`}</summary>
          <ul class="precedents">
            {precedents.map(({ url, title, decision, date }) => (
              <li key={url}>
                <a href={url} target="_blank" rel="noreferrer">
                  {title}
                </a>
                <span class="quiet">
                  {decision} · {date}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <History store={store} issue={issue} />
    </div>
  );
}

/** The picture at the finding, where there is one: also for files that no browser can play. */
function Frame({ store, issue }: { store: ReviewStore; issue: Issue }) {
  const isGone = useSignal(false);
  const mimeType = store.asset.value?.mimeType ?? "";
  const start = issue.location?.startSeconds ?? null;
  if (isGone.value || start === null || !/^video|mxf/.test(mimeType) || issue.sidekickName === "Reviewers") return null;
  return (
    <img
      class="frame"
      loading="lazy"
      src={assetUrl(store.ids, `issues/${issue.id}/frame`)}
      alt={`The picture at ${clock(start)}`}
      onError={() => (isGone.value = true)}
    />
  );
}

function History({ store, issue }: { store: ReviewStore; issue: Issue }) {
  const whole = useSignal<IssueWithHistory | undefined>(undefined);
  useEffect(() => {
    const { submissionId, assetId } = store.ids;
    void greenlit.issues.get(submissionId, assetId, issue.id).then(
      (value) => (whole.value = value),
      () => undefined,
    );
  }, [issue.id, issue.updatedAt]);
  const { history = [] } = whole.value ?? {};
  if (history.length === 0) return null;
  return (
    <ul class="history" aria-label="History">
      {history.map((change) => (
        <li key={change.createdAt} class="quiet">
          {change.proposedStatus ? `Proposed: ${words(change.proposedStatus)}` : words(change.toStatus)}
          {change.reasonCode && ` (${words(change.reasonCode).toLowerCase()})`} by{" "}
          {personName(change.personId) ?? (change.keyId ? "an API key" : "the service")}, {date(change.createdAt)}
          {change.reason && `: ${change.reason}`}
        </li>
      ))}
    </ul>
  );
}

function figure(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 2 }).replace("-", "−");
}
