/** Why an analysis ended without a result, and whether another try can help. */
export const errorTypes = {
  corrupt_media: { isRetryable: false },
  unsupported_media: { isRetryable: false },
  encrypted_document: { isRetryable: false },
  too_long: { isRetryable: false },
  analyzer_timeout: { isRetryable: true },
  analyzer_crashed: { isRetryable: true },
  internal_error: { isRetryable: true },
} as const;

export type AnalysisErrorType = keyof typeof errorTypes;

/** The message is for the person who sent the file: what is wrong with it and what to do. The cause is for the log. */
export class AnalysisError extends Error {
  override name = "AnalysisError";
  readonly errorType: AnalysisErrorType;

  constructor(errorType: AnalysisErrorType, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.errorType = errorType;
  }

  get isRetryable(): boolean {
    return errorTypes[this.errorType].isRetryable;
  }
}

export function isAnalysisErrorType(value: unknown): value is AnalysisErrorType {
  return typeof value === "string" && Object.hasOwn(errorTypes, value);
}

/** As a child process reports it, in one line of JSON. */
export type ReportedError = { errorType: string; message: string; cause: string };

export function toAnalysisError({ errorType, message, cause }: ReportedError): AnalysisError {
  return new AnalysisError(isAnalysisErrorType(errorType) ? errorType : "internal_error", message, {
    cause: new Error(cause),
  });
}
