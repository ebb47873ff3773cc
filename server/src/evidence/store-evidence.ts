import { Readable } from "node:stream";
import type { App } from "../app.ts";
import { uuidv7 } from "../db/uuid.ts";
import { carryOutRemovals, planRemovals, type Removal } from "../uploads/removals.ts";

/** What the row of the result says about evidence in the store. */
export type StoredEvidence = { objectKey: string; etag: string; sha256: string; sizeBytes: number };

const maxBytes = 512 * 2 ** 20;
/** Longer than a put and the transaction after it take. */
const putMs = 60 * 60 * 1000;

/**
 * Stores packed evidence, that of a part of a film, or the print of a file. Its removal is planned before its first byte
 * is stored, and the statement that names it calls that off: when this process dies, or the asset is deleted meanwhile,
 * the bytes do not stay.
 */
export async function storeEvidence(
  app: App,
  options: { workspaceId: string; assetId: string; kind: "evidence" | "prints" | "film-parts"; bytes: Buffer },
): Promise<StoredEvidence & { discard: () => Promise<void> }> {
  const { workspaceId, assetId, kind, bytes } = options;
  const objectKey = `${kind}/${workspaceId}/${assetId}/${uuidv7()}`;
  const later = new Date(app.now().getTime() + putMs);
  const removals: Removal[] = [{ kind: "object", objectKey }];
  const planned = await planRemovals(app.db, { removals, now: later });
  const { etag, sha256, sizeBytes } = await app.store.put(objectKey, Readable.from([bytes]), {
    maxBytes,
    contentType: "application/octet-stream",
  });
  return { objectKey, etag, sha256, sizeBytes, discard: () => carryOutRemovals(app, planned) };
}
