import { useSignal } from "@preact/signals";
import type { CompactIssue } from "@greenlit/sdk/src/generated.ts";
import { useEffect } from "preact/hooks";
import { greenlit } from "../api/client.ts";
import type { ReviewStore } from "../findings/review-store.ts";
import { may } from "../session/session.ts";
import { Link } from "../ui/router.tsx";
import { SeverityMark } from "../ui/severity.tsx";
import { attempt } from "../ui/toast.tsx";

/** An asset that is still analysed: its findings arrive one by one. Or one that failed, and why. */
export function AnalysisState({ store }: { store: ReviewStore }) {
  const { asset, ids } = store;
  const { submissionId, assetId } = ids;
  const progress = useSignal(0);
  const found = useSignal<CompactIssue[]>([]);
  const isFailed = asset.value?.status === "failed";
  const canRetry = store.submission.value?.assets.find((other) => other.assetId === assetId)?.isRetryable ?? false;
  useEffect(() => {
    if (isFailed) return;
    const stop = new AbortController();
    void greenlit.submissions
      .waitUntilDone(submissionId, {
        signal: stop.signal,
        onMessage: ({ event, data }) => {
          if (event === "asset.progress" && data.assetId === assetId) progress.value = data.progressPercent;
          if (event === "asset.issue" && data.assetId === assetId) found.value = [...found.value, data.issue];
          if (event === "asset.restarted" && data.assetId === assetId) found.value = [];
        },
      })
      .then(
        () => store.load(),
        () => undefined,
      );
    return () => stop.abort();
  }, [isFailed]);
  return (
    <div class="analysis">
      <Link to="/" class="quiet">
        Queue
      </Link>
      <h1 class="cut" dir="auto">
        {asset.value?.filename}
      </h1>
      {isFailed ? (
        <>
          <p class="refusal" role="alert">
            {asset.value?.errorMessage ?? "The analysis failed."}
          </p>
          {canRetry && may("reviewer") && (
            <button
              type="button"
              class="primary"
              onClick={() =>
                void attempt(() => greenlit.assets.retry(submissionId, assetId)).then((isDone) =>
                  isDone ? store.load() : undefined,
                )
              }
            >
              Check again
            </button>
          )}
        </>
      ) : (
        <>
          <progress value={progress.value} max={100} aria-label="Analysed" />
          <p class="quiet">
            {progress.value > 0 ? `${progress.value} % analysed` : "Waiting for its turn"}. Findings appear as they are
            made.
          </p>
          <ol class="arriving" aria-live="polite">
            {found.value.map(({ id, severity, summary, ruleCode }) => (
              <li key={id}>
                <SeverityMark severity={severity} /> {summary} <code>{ruleCode}</code>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
