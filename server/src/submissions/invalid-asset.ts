import { Failure } from "../failure.ts";

/** A 422 that points at one property of one asset of the request. */
export function invalidAsset(index: number, property: string, message: string): Failure {
  const path = `assets.${index}.${property}`;
  return new Failure("invalid_request", `The request body is not valid: ${path} ${message}.`, {
    details: [{ path, message }],
  });
}
