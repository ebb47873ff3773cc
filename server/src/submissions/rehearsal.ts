import { errorTypes, type ErrorType } from "../db/tables.ts";
import { Failure, type FailureDetail } from "../failure.ts";

/** How a sandbox submission is to fail. */
export type Rehearsal = {
  errorType: ErrorType;
  /** Positions of the assets that fail; null: all of them. */
  failAssets: readonly number[] | null;
};

const usualErrorType = "internal_error";

/**
 * The failure that `metadata.sandbox` asks for, or undefined when it asks for none. Metadata is free-form: only
 * `"outcome":"failed"` is taken as a request, and a 422 says then what is wrong with the rest.
 */
export function parseRehearsal(
  metadata: Record<string, unknown> | null | undefined,
  { assetCount }: { assetCount: number },
): Rehearsal | undefined {
  const wanted = metadata?.["sandbox"];
  if (typeof wanted !== "object" || wanted === null || !("outcome" in wanted) || wanted.outcome !== "failed")
    return undefined;
  const { errorType = usualErrorType, failAssets = null } = wanted as { errorType?: unknown; failAssets?: unknown };
  const details: FailureDetail[] = [];
  if (!isErrorType(errorType))
    details.push({
      path: "metadata.sandbox.errorType",
      message: `must be one of ${Object.keys(errorTypes).join(", ")}`,
    });
  if (failAssets !== null && !arePositions(failAssets, assetCount))
    details.push({
      path: "metadata.sandbox.failAssets",
      message: `must be a list of positions in assets, from 0 to ${assetCount - 1}`,
    });
  const [first] = details;
  if (first)
    throw new Failure("invalid_request", `The request body is not valid: ${first.path} ${first.message}.`, { details });
  return { errorType: errorType as ErrorType, failAssets: failAssets as number[] | null };
}

function isErrorType(value: unknown): value is ErrorType {
  return typeof value === "string" && Object.hasOwn(errorTypes, value);
}

function arePositions(value: unknown, assetCount: number): boolean {
  return (
    Array.isArray(value) &&
    value.every((position) => Number.isInteger(position) && Number(position) >= 0 && Number(position) < assetCount)
  );
}
