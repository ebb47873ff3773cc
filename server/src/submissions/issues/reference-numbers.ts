import type { Kysely } from "kysely";
import type { Tables } from "../../db/tables.ts";
import type { Asset } from "../submission.ts";

/** Numbers count within the version group and stay with their fingerprint; the group's row is locked meanwhile. */
export async function takeReferenceNumbers(
  trx: Kysely<Tables>,
  { asset, fingerprints }: { asset: Asset; fingerprints: string[] },
): Promise<Map<string, number>> {
  const { versionGroupId, workspaceId } = asset;
  const group = await trx
    .selectFrom("versionGroups")
    .select("lastReferenceNumber")
    .where("versionGroupId", "=", versionGroupId)
    .where("workspaceId", "=", workspaceId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const known = await trx
    .selectFrom("issueReferences")
    .select(["fingerprint", "referenceNumber"])
    .where("versionGroupId", "=", versionGroupId)
    .where("fingerprint", "in", fingerprints)
    .execute();
  const numbers = new Map(known.map(({ fingerprint, referenceNumber }) => [fingerprint, referenceNumber]));

  const added = fingerprints
    .filter((fingerprint) => !numbers.has(fingerprint))
    .map((fingerprint, index) => ({
      versionGroupId,
      fingerprint,
      referenceNumber: group.lastReferenceNumber + index + 1,
    }));
  if (added.length === 0) return numbers;
  await trx.insertInto("issueReferences").values(added).execute();
  await trx
    .updateTable("versionGroups")
    .set({ lastReferenceNumber: group.lastReferenceNumber + added.length })
    .where("versionGroupId", "=", versionGroupId)
    .where("workspaceId", "=", workspaceId)
    .execute();
  for (const { fingerprint, referenceNumber } of added) numbers.set(fingerprint, referenceNumber);
  return numbers;
}
