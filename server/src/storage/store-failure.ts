import { isOutOfFiles } from "../open-files.ts";
import { Failure } from "../failure.ts";
import { errnoOf } from "./folder/durable-file.ts";
import { isStoreError } from "./store.ts";

const noRoom: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
/** A disk that failed: the kernel lets nobody write to it any more. */
const broken: ReadonlySet<string> = new Set(["EROFS", "EIO", "ENODEV", "ENXIO", "ESTALE"]);

/** The failure of a store without room or out of reach; undefined when the error is another one. */
export function storeFailure(error: unknown): Failure | undefined {
  if (isStoreError(error, "quota_exceeded"))
    return new Failure("insufficient_storage", error.message, { cause: error });
  if (isStoreError(error, "disk_full") || noRoom.has(errnoOf(error) ?? ""))
    return new Failure(
      "insufficient_storage",
      "The disk of the store is full, so nothing was stored. Ask your operator to free space, then send the request again.",
      { cause: error },
    );
  if (broken.has(errnoOf(error) ?? ""))
    return new Failure(
      "unavailable",
      "The disk of the store cannot be used right now. Ask your operator to look at it, then send the request again.",
      { cause: error },
    );
  if (isStoreError(error, "unavailable"))
    return new Failure("unavailable", "The service cannot reach its store right now. Try again in a moment.", {
      cause: error,
    });
  if (isOutOfFiles(error))
    return new Failure("unavailable", "The service has too many files open right now. Try again in a moment.", {
      cause: error,
    });
  return undefined;
}
