import { signal, useSignal } from "@preact/signals";
import type { AssetStatus, Submission } from "@greenlit/sdk/src/generated.ts";
import { useEffect } from "preact/hooks";
import { greenlit } from "../api/client.ts";
import { may } from "../session/session.ts";
import { submittedCount } from "../upload/uploads.ts";
import { Link } from "../ui/router.tsx";
import { attempt, toast } from "../ui/toast.tsx";

/** How many assets are not reviewable yet. */
export const inProgressCount = signal(0);
const pollMs = 1500;
const recentMs = 24 * 60 * 60 * 1000;

/** What is being analysed, and what failed since yesterday. */
export function InProgress() {
  const submissions = useSignal<Submission[]>([]);
  const again = useSignal(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = async () => {
      const { data } = await greenlit.submissions.list({ limit: 50 }).page();
      if (isOver) return;
      const next = data.filter(isWorthShowing);
      // A line that comes or goes would move the rows under the pointer: it waits until the pointer has left.
      const isHeld = linesOf(next) !== linesOf(submissions.value) && document.querySelector(".rows:hover") !== null;
      if (!isHeld) {
        submissions.value = next;
        inProgressCount.value = next.length;
      }
      if (isHeld || data.some(({ status }) => status === "submitted" || status === "processing"))
        timer = setTimeout(tick, pollMs);
    };
    const tick = () => void look().catch(() => (timer = setTimeout(tick, 4 * pollMs)));
    tick();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [submittedCount.value, again.value]);
  if (submissions.value.length === 0) return null;
  return (
    <ul class="in-progress" aria-label="In progress">
      {submissions.value.flatMap((submission) =>
        unfinished(submission).map((asset) => (
          <Row key={asset.assetId} submission={submission} asset={asset} onRetry={() => (again.value += 1)} />
        )),
      )}
    </ul>
  );
}

function Row(props: { submission: Submission; asset: AssetStatus; onRetry: () => void }) {
  const { submission, asset, onRetry } = props;
  const { submissionId } = submission;
  const { assetId, filename, status, progressPercent, errorMessage, isRetryable } = asset;
  const retry = async () => {
    if (await attempt(() => greenlit.assets.retry(submissionId, assetId))) {
      toast(`${filename} is checked again`);
      onRetry();
    }
  };
  return (
    <li>
      <Link class="cut" to={`/assets/${submissionId}/${assetId}`}>
        <bdi>{filename}</bdi>
      </Link>
      {status === "failed" ? (
        <>
          <small class="refusal">{errorMessage}</small>
          {isRetryable && may("reviewer") && (
            <button type="button" class="small" onClick={() => void retry()}>
              Retry
            </button>
          )}
        </>
      ) : (
        <>
          <progress value={progressPercent} max={100} aria-label={`${filename} analysed`} />
          <small class="quiet">{status === "submitted" ? "Waiting" : `${progressPercent} %`}</small>
        </>
      )}
    </li>
  );
}

function isWorthShowing({ status, createdAt }: Submission): boolean {
  return status !== "complete" && (status !== "failed" || Date.now() - Date.parse(createdAt) < recentMs);
}

function unfinished({ assets }: Submission): AssetStatus[] {
  return assets.filter(({ status }) => status !== "complete");
}

function linesOf(submissions: Submission[]): string {
  return submissions
    .flatMap(unfinished)
    .map(({ assetId }) => assetId)
    .join();
}
