import { AnalysisError } from "../../analysis-error.ts";

/**
 * A parser that throws over a foreign document would throw over it again: that is the document's fault, not a crash to
 * be tried once more. Running out of memory shows as an allocation that failed.
 */
export function asCorruptDocument(error: unknown): never {
  if (error instanceof AnalysisError) throw error;
  if (error instanceof RangeError && /allocation|invalid string length/i.test(error.message)) {
    throw new AnalysisError("unsupported_media", "The document unpacks to more than the limit. Send it in parts.", {
      cause: error,
    });
  }
  throw new AnalysisError("corrupt_media", "The document cannot be read: it is damaged. Save it again.", {
    cause: error,
  });
}
