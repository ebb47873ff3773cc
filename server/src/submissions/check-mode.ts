import type { Mode } from "../db/tables.ts";
import { Failure } from "../failure.ts";

/** Keys of both modes read everything; changes need a key of the submission's own mode. */
export function checkMode(caller: { mode: Mode }, submission: { mode: Mode }): void {
  if (caller.mode !== submission.mode)
    throw new Failure(
      "mode_mismatch",
      `This is a ${submission.mode} submission; use a ${submission.mode} key to change it.`,
    );
}
