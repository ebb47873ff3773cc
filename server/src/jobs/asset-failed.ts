import type { ErrorType } from "../db/tables.ts";

/** Why an asset ends without a result; everything else that is thrown hands the job back to the queue. */
export class AssetFailed extends Error {
  readonly errorType: ErrorType;

  constructor(errorType: ErrorType, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.errorType = errorType;
  }
}
