import type { CompactIssue } from "@greenlit/sdk/src/generated.ts";
import { greenlit } from "../api/client.ts";
import { date, plural, words } from "../ui/format.ts";
import { States, useLoad } from "../ui/load.tsx";
import { compare } from "../player/comparison.ts";
import { Link } from "../ui/router.tsx";
import { SeverityMark } from "../ui/severity.tsx";
import type { ReviewStore } from "./review-store.ts";

/** The versions of the asset, and what changed since the one before. */
export function Versions({ store }: { store: ReviewStore }) {
  const { submissionId, assetId } = store.ids;
  const versions = useLoad(() => greenlit.submissions.versions(submissionId), [submissionId]);
  const diff = useLoad(() => greenlit.assets.diff(submissionId, assetId), [assetId]);
  const group = store.asset.value?.versionGroupId;
  return (
    <section class="versions" aria-label="Versions">
      <States of={versions}>
        {({ versions }) => (
          <ol class="plain-list">
            {versions
              .filter(({ versionGroupId }) => versionGroupId === group)
              .map((version) => (
                <li key={version.assetId} class="row">
                  {version.assetId === assetId ? (
                    <strong>Version {version.versionNumber}</strong>
                  ) : (
                    <Link to={`/assets/${version.submissionId}/${version.assetId}`}>
                      Version {version.versionNumber}
                    </Link>
                  )}
                  {version.assetId !== assetId && version.status === "complete" && (
                    <button
                      type="button"
                      class="small"
                      onClick={() => void compare(store, { with: version.versionNumber })}
                    >
                      Compare
                    </button>
                  )}
                  <span class="quiet">
                    {date(version.createdAt)} ·{" "}
                    {version.issueCount === null ? words(version.status) : plural(version.issueCount, "finding")}
                  </span>
                </li>
              ))}
          </ol>
        )}
      </States>
      <States of={diff}>
        {({ comparedWith, new: added, fixed, persisting }) =>
          comparedWith === null ? (
            <p class="quiet">
              There is no earlier version to compare with. Upload a new one and offer it as a version.
            </p>
          ) : (
            <>
              <p class="quiet">Against version {comparedWith.versionNumber}</p>
              <Group title="New" issues={added} store={store} />
              <Group title="Fixed" issues={fixed} />
              <Group title="Still there" issues={persisting} store={store} />
            </>
          )
        }
      </States>
    </section>
  );
}

function Group({ title, issues, store }: { title: string; issues: CompactIssue[]; store?: ReviewStore }) {
  return (
    <>
      <h3>
        {title} {issues.length}
      </h3>
      <ul class="plain-list">
        {issues.map(({ id, severity, summary }) => (
          <li key={id} class="diff-row">
            <SeverityMark severity={severity} />
            {store ? (
              <button type="button" class="link" onClick={() => store.select(id)}>
                {summary}
              </button>
            ) : (
              <s>{summary}</s>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
