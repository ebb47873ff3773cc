import pg from "pg";
import { Failure } from "../failure.ts";

const foreignKeyViolation = "23503";

/** Whether a row could not be stored because the one that it belongs to was deleted meanwhile. */
export function isParentGone(error: unknown): error is pg.DatabaseError {
  // A deletion that something still refers to has the same code, and is a fault of ours.
  return (
    error instanceof pg.DatabaseError &&
    error.code === foreignKeyViolation &&
    error.message.startsWith("insert or update")
  );
}

/** The failure of a request that lost what it is about; undefined when the error is another one. */
export function parentGone(error: unknown): Failure | undefined {
  if (!isParentGone(error)) return undefined;
  if (/_(workspace|key)_id_fkey$/.test(error.constraint ?? ""))
    return new Failure(
      "unauthenticated",
      "The workspace of this API key was removed. Ask your operator for a new key.",
      {
        cause: error,
      },
    );
  return new Failure("not_found", "What this request is about was deleted meanwhile. Check the ids.", { cause: error });
}
