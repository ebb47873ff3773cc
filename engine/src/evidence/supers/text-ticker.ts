import type { Place } from "./text-template.ts";
import type { Track } from "./text-track.ts";

/** Pixels a second. */
const leastSpeed = 20;
/** One that is lost for longer was lost for another reason. */
const longestOutsideSeconds = 1.5;

/** Text that runs along the picture, mostly more of it than fits. */
export function isTicker({ velocity }: Track): boolean {
  return Math.abs(velocity.x) > leastSpeed && Math.abs(velocity.x) > 2 * Math.abs(velocity.y);
}

/** When the last letter of a ticker has left the picture; null: it did not, or it is not a ticker. */
export function leavingSeconds(track: Track, width: number): number | null {
  const seconds = isTicker(track) ? secondsOutside(track, track.place, { width, isEnd: true }) : 0;
  return seconds === 0 ? null : track.lastSeconds + seconds;
}

/** How long a ticker takes until the last of it has left, or took since the first of it came. */
export function secondsOutside(
  { template, velocity }: Track,
  { dx }: Place,
  options: { width: number; isEnd: boolean },
): number {
  if (template === null) return 0;
  const isLeftwards = velocity.x < 0;
  const [left, right] = [template.extent.left + dx, template.extent.right + dx];
  const distance = isLeftwards === options.isEnd ? right : options.width - left;
  const seconds = distance / Math.abs(velocity.x);
  return seconds > 0 && seconds < longestOutsideSeconds ? seconds : 0;
}
