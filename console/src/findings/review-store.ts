import { batch, computed, signal } from "@preact/signals";
import type {
  AssetResult,
  Comment,
  Issue,
  IssueDecision,
  Measurements,
  Renditions,
  ReviewWithDecisions,
  Submission,
  Topics,
} from "@greenlit/sdk/src/generated.ts";
import { greenlit, messageOf, type AssetIds } from "../api/client.ts";
import type { Comparison } from "../player/comparison.ts";
import { createPlayer } from "../player/player.ts";
import { toast, toastError } from "../ui/toast.tsx";
import { words } from "../ui/format.ts";
import { orderIssues, type Order } from "./order-issues.ts";

export type ReviewStore = ReturnType<typeof createReviewStore>;
export type Box = { x: number; y: number; width: number; height: number };

export function isUndecided({ status }: Pick<Issue, "status">): boolean {
  return status === "OPEN" || status === "AWAITING_HUMAN_INPUT";
}

const firstIssues = 100;

/** All that the page of one asset shows, and what can be done to it. */
export function createReviewStore(ids: AssetIds) {
  const { submissionId, assetId } = ids;
  const params = { submission_id: submissionId, asset_id: assetId };
  const player = createPlayer();
  const asset = signal<AssetResult | undefined>(undefined);
  const submission = signal<Submission | undefined>(undefined);
  const issues = signal<Issue[]>([]);
  const topics = signal<Topics | undefined>(undefined);
  const review = signal<ReviewWithDecisions | undefined>(undefined);
  const measurements = signal<Measurements | undefined>(undefined);
  const comments = signal<Comment[]>([]);
  const renditions = signal<Renditions | undefined>(undefined);
  /** Issues that are still on their way. */
  const missingCount = signal(0);
  const error = signal("");
  const selectedId = signal<string | undefined>(undefined);
  const order = signal<Order>("severity");
  const shown = signal<"all" | "undecided">("all");
  const marked = signal<ReadonlySet<string>>(new Set());
  /** The box that somebody draws for a finding or comment of their own. */
  const comparison = signal<Comparison | undefined>(undefined);
  const drawing = signal<{ purpose: "finding" | "comment"; box?: Box; page?: number } | undefined>(undefined);

  const visible = computed(() => {
    const list = shown.value === "all" ? issues.value : issues.value.filter(isUndecided);
    return orderIssues(list, { order: order.value, topics: topics.value });
  });
  const selected = computed(() => issues.value.find(({ id }) => id === selectedId.value));
  const undecidedCount = computed(() => {
    const loaded = issues.value.filter(isUndecided).length;
    if (missingCount.value === 0) return loaded;
    // Of those on their way only the service knows it: an asset must not look decided by its first hundred.
    return Math.max(loaded, review.value?.undecidedCount ?? loaded + missingCount.value);
  });
  /** The findings at the playhead. */
  const current = computed(() => {
    const now = player.time.value;
    const ids = issues.value
      .filter(({ location }) => {
        const start = location?.startSeconds;
        if (start === null || start === undefined) return false;
        return now >= start - 0.05 && now <= Math.max(location?.endSeconds ?? start, start + 0.5);
      })
      .map(({ id }) => id);
    return ids.join(" ");
  });

  async function loadIssues(): Promise<void> {
    if (issues.value.length === 0) {
      // Thousands take a while on a slow line: work can begin with the first.
      const first = await greenlit.call("readIssues", { params, query: { limit: firstIssues } });
      batch(() => {
        issues.value = first.issues;
        missingCount.value = first.total - first.issues.length;
      });
      if (!first.hasMore) return;
    }
    const all = await greenlit.assets.issues(submissionId, assetId).all();
    batch(() => {
      issues.value = all;
      missingCount.value = 0;
    });
  }

  async function loadReview(): Promise<void> {
    review.value = await greenlit.call("readReview", { params });
  }

  async function loadComments(): Promise<void> {
    comments.value = (await greenlit.call("listComments", { params, query: { limit: 500 } })).data;
  }

  async function load(): Promise<void> {
    try {
      const [result, whole] = await Promise.all([
        greenlit.assets.get(submissionId, assetId),
        greenlit.submissions.get(submissionId),
      ]);
      batch(() => {
        asset.value = result;
        submission.value = whole;
        error.value = "";
      });
      if (result.status !== "complete") return;
      await Promise.all([loadIssues(), loadReview()]);
      // The page can be worked on by now; what follows enriches it.
      await Promise.all([
        loadComments(),
        greenlit.assets.topics(submissionId, assetId).then((value) => (topics.value = value)),
        greenlit.assets.measurements(submissionId, assetId).then((value) => (measurements.value = value)),
      ]);
    } catch (failure) {
      error.value = messageOf(failure);
    }
  }

  function select(id: string | undefined, { seek = true } = {}): void {
    selectedId.value = id;
    const start = selected.value?.location?.startSeconds;
    if (seek && start !== null && start !== undefined) {
      player.pause();
      player.seek(start);
    }
  }

  /** The next one that nobody has decided about, not merely the next one. */
  function selectUndecided(by: 1 | -1): void {
    const list = visible.value;
    const at = list.findIndex(({ id }) => id === selectedId.value);
    for (let step = 1; step <= list.length; step += 1) {
      const issue = list[((((at < 0 && by < 0 ? 0 : at) + by * step) % list.length) + list.length) % list.length];
      if (issue && isUndecided(issue) && issue.id !== selectedId.value) return select(issue.id);
    }
    if (undecidedCount.value === 0) toast("Every finding is decided");
  }

  function replace(issue: Issue): void {
    issues.value = issues.value.map((old) => (old.id === issue.id ? { ...old, ...issue } : old));
  }

  async function decide(issue: Issue, decision: IssueDecision): Promise<void> {
    const before = issue.status;
    // Shown at once; a refusal takes it back.
    replace({ ...issue, status: decision.status });
    try {
      const after = await greenlit.issues.update(submissionId, assetId, issue.id, decision);
      replace(after);
      const waits = after.status !== decision.status;
      toast(
        waits
          ? `Finding ${issue.referenceNumber}: a second person must agree`
          : `Finding ${issue.referenceNumber}: ${words(after.status).toLowerCase()}`,
        { action: { label: "Undo", run: () => void undo(issue, before) } },
      );
      void loadReview().catch(() => undefined);
    } catch (failure) {
      replace(issue);
      toastError(failure);
    }
  }

  async function undo(issue: Issue, status: Issue["status"]): Promise<void> {
    try {
      replace(await greenlit.issues.update(submissionId, assetId, issue.id, { status, reason: "Undone" }));
      select(issue.id);
      await loadReview();
    } catch (failure) {
      toastError(failure);
    }
  }

  async function decideMany(issueIds: readonly string[], decision: IssueDecision): Promise<void> {
    try {
      const { decided, proposed } = await greenlit.call("decideIssues", {
        params,
        body: { issueIds: [...issueIds], ...decision },
      });
      toast(`${decided} decided${proposed > 0 ? `, ${proposed} wait for a second person` : ""}`);
      marked.value = new Set();
      await Promise.all([loadIssues(), loadReview()]);
    } catch (failure) {
      toastError(failure);
    }
  }

  return {
    ids,
    params,
    player,
    asset,
    submission,
    issues,
    topics,
    review,
    measurements,
    comments,
    renditions,
    missingCount,
    error,
    selectedId,
    selected,
    order,
    shown,
    marked,
    drawing,
    comparison,
    visible,
    undecidedCount,
    current,
    load,
    loadIssues,
    loadReview,
    loadComments,
    select,
    selectUndecided,
    decide,
    decideMany,
  };
}
