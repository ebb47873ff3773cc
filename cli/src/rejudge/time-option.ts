import { CommandError } from "../command-error.ts";

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `90d` ago, or a date: as an ISO timestamp. */
export function parseTime(text: string, option: string, now = new Date()): string {
  const ago = /^(\d{1,6})([mhdw])$/.exec(text);
  if (ago) return new Date(now.getTime() - Number(ago[1]) * (units[ago[2] ?? ""] ?? 0)).toISOString();
  const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (Number.isNaN(date.getTime()))
    throw new CommandError(`${option} must be a span like 90d or 12h, or a date like 2026-08-01, not ${text}.`);
  return date.toISOString();
}
