import type { Signal } from "@preact/signals";
import { greenlit, type AssetIds } from "../api/client.ts";
import { toast, toastError } from "../ui/toast.tsx";

export const comparisonModes = { side: "Side by side", flick: "Flick", wipe: "Wipe" } as const;
export type ComparisonMode = keyof typeof comparisonModes;

/** Another version beside, or over, the one of the page. */
export type Comparison = {
  ids: AssetIds;
  versionNumber: number;
  mode: ComparisonMode;
  /** Of flicking: which one is seen. */
  shows: "other" | "own";
};

type Compared = {
  ids: AssetIds;
  comparison: Signal<Comparison | undefined>;
  asset: Signal<{ versionGroupId: string | null; versionNumber: number } | undefined>;
};

/** Compares with a version, or else with the one before. */
export async function compare(
  { ids, comparison, asset }: Compared,
  options: { with?: number; mode?: ComparisonMode } = {},
): Promise<void> {
  const own = asset.value;
  if (!own) return;
  try {
    const { versions } = await greenlit.submissions.versions(ids.submissionId);
    const others = versions.filter(
      ({ versionGroupId, assetId, status }) =>
        versionGroupId === own.versionGroupId && assetId !== ids.assetId && status === "complete",
    );
    const before = others.filter(({ versionNumber }) => versionNumber < own.versionNumber);
    const other =
      options.with === undefined
        ? (before.at(-1) ?? others[0])
        : others.find(({ versionNumber }) => versionNumber === options.with);
    if (!other) return toast("There is no other version to compare with");
    const { submissionId, assetId, versionNumber } = other;
    comparison.value = { ids: { submissionId, assetId }, versionNumber, mode: options.mode ?? "side", shows: "other" };
  } catch (error) {
    toastError(error);
  }
}

/** One key a version, at the same moment. */
export function flick(store: Compared, shows: Comparison["shows"]): void {
  const { comparison } = store;
  if (comparison.value) comparison.value = { ...comparison.value, mode: "flick", shows };
  else if (shows === "other") void compare(store, { mode: "flick" });
}
