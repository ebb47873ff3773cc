import type { Span, SuperEvidence } from "./evidence.ts";

/** Shorter stretches are not called frozen by the detector either. */
const leastSeconds = 0.5;
/** As far as the times of a super may be off. */
const nearSeconds = 0.12;

/**
 * The detector compares whole pictures, and one figure of a price is too little for it. A picture in which a text comes,
 * goes, changes or runs does not stand still; and none stands still longer than the file lasts.
 */
export function partFreezes(
  freezes: Span[],
  options: { supers: SuperEvidence | null; durationSeconds: number },
): Span[] {
  const { supers, durationSeconds } = options;
  const changes = (supers?.supers ?? [])
    .flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])
    .filter((seconds) => seconds !== null)
    .toSorted((a, b) => a - b);
  const moving = (supers?.supers ?? []).filter(({ isMoving }) => isMoving);
  const isMoved = (piece: Span) =>
    moving.some(
      (line) =>
        (line.startSeconds ?? 0) < piece.endSeconds - nearSeconds &&
        (line.endSeconds ?? 0) > piece.startSeconds + nearSeconds,
    );
  return freezes.flatMap(({ startSeconds, endSeconds }) => {
    const end = Math.min(endSeconds, durationSeconds);
    const inside = changes.filter((at) => at > startSeconds + nearSeconds && at < end - nearSeconds);
    const bounds = [startSeconds, ...inside, end];
    const pieces = bounds
      .slice(1)
      .map((to, index) => ({ startSeconds: bounds[index] ?? startSeconds, endSeconds: to }))
      .filter((piece) => !isMoved(piece));
    return inside.length === 0
      ? pieces.filter((piece) => piece.endSeconds > piece.startSeconds)
      : pieces.filter((piece) => piece.endSeconds - piece.startSeconds >= leastSeconds);
  });
}
