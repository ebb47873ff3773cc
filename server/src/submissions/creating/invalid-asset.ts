import { Failure } from "../../failure.ts";

/** A 422 that points at one property of one asset of the request. */
export function invalidAsset(index: number, property: string, message: string): Failure {
  const path = `assets.${index}.${property}`;
  return new Failure("invalid_request", `The request body is not valid: ${path} ${message}.`, {
    details: [{ path, message }],
  });
}

/** Puts into the message of a failure which asset of the request it is about. */
export async function nameAssetInError<T>(index: number, check: () => T): Promise<Awaited<T>> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, `assets.${index}: ${error.message}`, { ...error.options, cause: error });
  }
}
