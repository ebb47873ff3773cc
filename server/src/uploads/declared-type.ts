import { MediaTypeRefused } from "@greenlit/engine/media-types/media-type-refused.ts";
import * as engine from "@greenlit/engine/media-types/media-types.ts";
import * as bytes from "@greenlit/engine/media-types/recognise.ts";
import { Failure } from "../failure.ts";

/** The row of the allowlist for a declared type, or a 415. */
export function findMediaType(contentType: string): engine.MediaType {
  try {
    return engine.findMediaType(contentType);
  } catch (error) {
    throw asFailure(error);
  }
}

/** What the bytes are, or a 415 when that does not fit the declared type. */
export async function recognise(object: Parameters<typeof bytes.recognise>[0]): Promise<engine.Format> {
  try {
    return await bytes.recognise(object);
  } catch (error) {
    throw asFailure(error);
  }
}

function asFailure(error: unknown): unknown {
  return error instanceof MediaTypeRefused ? new Failure(error.code, error.message) : error;
}
