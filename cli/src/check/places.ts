import type { CheckedIssue } from "./check-file.ts";

/** `0:03.2–0:05.0`, `page 2`, or nothing. */
export function placeOf({ location }: CheckedIssue): string {
  if (location === null) return "";
  const { startSeconds, endSeconds, page } = location;
  if (startSeconds !== null) {
    const from = clock(startSeconds);
    return endSeconds === null || endSeconds - startSeconds < 0.05 ? from : `${from}–${clock(endSeconds)}`;
  }
  return page === null ? "" : `page ${page}`;
}

export function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  return `${minutes}:${String(Math.floor(rest / 10)).padStart(2, "0")}.${rest % 10}`;
}
