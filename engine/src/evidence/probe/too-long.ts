import { AnalysisError } from "../../analysis-error.ts";

export const defaultMaxDurationSeconds = 4 * 60 * 60;

export function tooLong(seconds: number, limitSeconds: number): AnalysisError {
  return new AnalysisError(
    "too_long",
    `The file plays for ${formatTime(seconds)} or more; at most ${formatTime(limitSeconds)} is analysed. Send it in parts.`,
  );
}

function formatTime(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
