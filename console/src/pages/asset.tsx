import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { greenlit } from "../api/client.ts";
import { dismiss, dismissing } from "../findings/decide.tsx";
import { OwnFinding } from "../findings/own-finding.tsx";
import { PrintReport } from "../findings/print-report.tsx";
import { Side, type Tab } from "../findings/side.tsx";
import { loadMembers } from "../findings/people-names.ts";
import { ReviewHeader } from "../findings/review-header.tsx";
import { createReviewStore, type ReviewStore } from "../findings/review-store.ts";
import { flick } from "../player/comparison.ts";
import { ComparisonBar } from "../player/comparison-bar.tsx";
import { Controls, isGoingTo } from "../player/controls.tsx";
import { mediaKind } from "../player/media-kind.ts";
import { Timeline } from "../player/timeline.tsx";
import { Viewer } from "../player/viewer.tsx";
import { may, me } from "../session/session.ts";
import { onLive } from "../session/live.ts";
import { useKeys } from "../ui/keys.ts";
import { lazy } from "../ui/lazy.tsx";
import { Shortcuts } from "../ui/shortcuts.tsx";
import { Skeleton } from "../ui/load.tsx";
import { useTitle } from "../ui/page.tsx";
import { Link, place, setHash } from "../ui/router.tsx";
import { AnalysisState } from "./analysis-state.tsx";

const Curves = lazy(async () => (await import("../player/curves.tsx")).Curves);

/** One asset: watch it, go through its findings, decide. */
export function AssetPage({ params: [submissionId = "", assetId = ""] }: { params: string[] }) {
  const store = useMemo(() => createReviewStore({ submissionId, assetId }), [submissionId, assetId]);
  const { asset, error } = store;
  useTitle(asset.value?.filename ?? "Asset");
  useEffect(() => {
    void store.load().then(() => openDeepLink(store));
    void loadMembers().catch(() => undefined);
    return onLive((event) => {
      if (event.assetId !== assetId || event.event === "renditions.changed") return;
      if (event.event === "comment.created") void store.loadComments().catch(() => undefined);
      else void Promise.all([store.loadIssues(), store.loadReview()]).catch(() => undefined);
    });
  }, [store]);
  useClaim(store);
  const tab = useSignal<Tab>("findings");
  const hasCurves = useSignal(false);
  const isHelping = useSignal(false);
  useReviewKeys(store, {
    c: () => openTab(tab, "comments", "new-comment"),
    "/": () => openTab(tab, "text", "text-search"),
    b: () => may("reviewer") && (store.drawing.value = { purpose: "finding" }),
    "?": () => (isHelping.value = true),
  });
  useHash(store);

  if (error.value !== "")
    return (
      <div class="empty" role="alert">
        <h1>This asset cannot be shown</h1>
        <p>{error.value}</p>
        <p>
          <button type="button" onClick={() => void store.load()}>
            Try again
          </button>{" "}
          <Link class="button" to="/">
            To the queue
          </Link>
        </p>
      </div>
    );
  if (!asset.value) return <Skeleton />;
  if (asset.value.status !== "complete") return <AnalysisState store={store} />;
  const hasTime = isTimed(store);
  return (
    <div class="asset">
      <ReviewHeader store={store} onKeys={() => (isHelping.value = true)} />
      {isHelping.value && <Shortcuts onClose={() => (isHelping.value = false)} />}
      <PrintReport store={store} />
      <div class="workbench">
        <section class="viewer" aria-label="Media">
          <ComparisonBar store={store} />
          <Viewer store={store} />
          <Controls store={store} hasTime={hasTime} hasCurves={hasCurves} />
          {hasTime && <Timeline store={store} />}
          {hasTime && hasCurves.value && <Curves store={store} />}
          <OwnFinding store={store} />
        </section>
        <Side store={store} tab={tab} />
      </div>
    </div>
  );
}

/** A film or a sound, whether it has been loaded or not. */
function isTimed({ asset }: ReviewStore): boolean {
  const kind = asset.value && mediaKind(asset.value.mimeType);
  return kind === "video" || kind === "audio";
}

/** Others see who is at work. Somebody else's claim is shown, not fought over. */
function useClaim(store: ReviewStore): void {
  const { review, params } = store;
  const state = review.value?.state;
  const isOpen = state === "awaiting_review" || state === "in_review" || state === "escalated";
  const claim = review.value?.claim;
  const isForeign = claim && claim.holderId !== me.value?.personId && Date.parse(claim.until) > Date.now();
  const mayClaim = isOpen && !isForeign && may("reviewer");
  const isHeld = useSignal(false);
  useEffect(() => {
    if (!mayClaim) return;
    const take = () =>
      greenlit.call("claimReview", { params }).then(
        (claimed) => {
          review.value = claimed;
          isHeld.value = true;
        },
        () => undefined,
      );
    void take();
    const timer = setInterval(() => void take(), 10 * 60 * 1000);
    return () => {
      clearInterval(timer);
      if (isHeld.value) void greenlit.call("releaseReview", { params }).catch(() => undefined);
    };
  }, [mayClaim]);
}

/** Turns to a panel and puts the cursor into its field. */
function openTab(tab: Signal<Tab>, name: Tab, field: string): void {
  tab.value = name;
  setTimeout(() => document.getElementById(field)?.focus());
}

function useReviewKeys(store: ReviewStore, more: Record<string, () => void>): void {
  const { player, selected } = store;
  const decide = (status: "ACKNOWLEDGED" | "RESOLVED") => () => {
    if (selected.value && may("reviewer")) void store.decide(selected.value, { status });
  };
  const reason = (number: number) => () => {
    if (selected.value && dismissing.value === selected.value.id) dismiss(store, selected.value, number);
    else if (number <= 2) flick(store, number === 1 ? "other" : "own");
  };
  useKeys({
    " ": player.toggle,
    k: player.toggle,
    j: () => player.shuttle(-1),
    l: () => player.shuttle(1),
    ArrowLeft: () => player.step(-1),
    ArrowRight: () => player.step(1),
    "Shift+ArrowLeft": () => player.seek(player.time.value - 1),
    "Shift+ArrowRight": () => player.seek(player.time.value + 1),
    n: () => store.selectUndecided(1),
    p: () => store.selectUndecided(-1),
    a: decide("ACKNOWLEDGED"),
    r: decide("RESOLVED"),
    d: () => {
      if (selected.value && may("reviewer")) dismissing.value = selected.value.id;
    },
    g: () => isTimed(store) && (isGoingTo.value = true),
    Escape: () => {
      dismissing.value = undefined;
      store.drawing.value = undefined;
      store.comparison.value = undefined;
    },
    ...more,
    "1": reason(1),
    "2": reason(2),
    "3": reason(3),
    "4": reason(4),
    "5": reason(5),
    "6": reason(6),
  });
}

/** `#t=12.480&issue=7` opens where somebody pointed. */
function openDeepLink(store: ReviewStore): void {
  const { hash } = place.value;
  const [time, number] = [hash.get("t"), hash.get("issue")];
  const issue = store.issues.value.find(({ referenceNumber }) => String(referenceNumber) === number);
  if (issue) store.select(issue.id);
  if (time !== null && Number.isFinite(Number(time))) store.player.seek(Number(time));
}

function useHash(store: ReviewStore): void {
  const { selected, player } = store;
  const number = selected.value?.referenceNumber;
  useEffect(() => {
    if (number === undefined) return;
    setHash({ t: player.time.peek().toFixed(3), issue: String(number) });
  }, [number]);
}
