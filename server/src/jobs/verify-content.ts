import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AnalysisError } from "@greenlit/engine/analysis-error.ts";
import { findMediaType } from "@greenlit/engine/media-types/media-types.ts";
import { verifyInChild } from "@greenlit/engine/print/verify-child.ts";
import { sql } from "kysely";
import type { App } from "../app.ts";
import { findPrints, type VerificationJob } from "../certificates/compare-content.ts";
import { statementOf } from "../certificates/statement.ts";
import { readEvidence } from "../evidence/read-evidence.ts";
import { Failure } from "../failure.ts";
import { isStoreError } from "../storage/store.ts";
import { AssetFailed } from "./asset-failed.ts";
import { createCopy } from "./copy-media.ts";

type Pair = {
  assetId: string;
  contentType: string;
  sha256: string;
  reference: string;
  etag: string;
  envelope: string;
};

/** Compares an asset's file with what a certificate clears, and keeps the answer. */
export async function verifyContent(
  app: App,
  { job, scratch, signal }: { job: VerificationJob; scratch: string; signal: AbortSignal },
): Promise<void> {
  const pair = await takePair(app, job);
  if (!pair) return;
  const log = app.log.child({ ...job, assetId: pair.assetId });
  const startedAt = performance.now();
  try {
    const result = await compare(app, { pair, scratch, signal });
    await end(app, job, { state: "complete", result });
    log.info({ match: result.match, durationMs: Math.round(performance.now() - startedAt) }, "content compared");
  } catch (error) {
    signal.throwIfAborted();
    const isKnown = error instanceof AnalysisError || error instanceof AssetFailed || error instanceof Failure;
    const isOfStore = isStoreError(error, "object_missing", "object_changed");
    log[isKnown || isOfStore ? "warn" : "error"]({ err: error }, "content not compared");
    const errorMessage = isKnown
      ? error.message
      : isOfStore
        ? "The file or a print was removed meanwhile. Submit the file again."
        : "The file could not be compared because of a problem on our side. Try again.";
    await end(app, job, { state: "failed", errorMessage });
  }
}

/** Undefined: the asset is gone, or it was compared by another worker. */
async function takePair(app: App, { verificationId, workspaceId }: VerificationJob): Promise<Pair | undefined> {
  const { rows } = await sql<Pair>`
    with taken as (
      update verifications set state = 'working'
        where verification_id = ${verificationId} and workspace_id = ${workspaceId} and state in ('waiting', 'working')
        returning asset_id, certificate_id)
    select taken.asset_id, content_type, assets.sha256, reference, media.etag, envelope
      from taken join assets using (asset_id) join media using (media_id) join certificates using (certificate_id)
      where assets.sha256 is not null`.execute(app.db);
  return rows[0];
}

async function compare(app: App, options: { pair: Pair; scratch: string; signal: AbortSignal }) {
  const { pair, signal } = options;
  const { assetId, contentType, sha256, reference, etag, envelope } = pair;
  const prints = await findPrints(app, { statement: statementOf(envelope), assetId });
  await using stack = new AsyncDisposableStack();
  const folder = join(options.scratch, randomUUID());
  await mkdir(folder, { mode: 0o700 });
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const [masterFile, knownFile] = [join(folder, "master"), join(folder, "known")];
  await writeFile(masterFile, await readEvidence(app, prints.master));
  await writeFile(knownFile, await readEvidence(app, prints.known));
  const copy = stack.use(createCopy(app, options));
  await copy.finish({ reference, etag });
  const { category } = findMediaType(contentType);
  const mediaType = { contentType, category };
  // Waited for here: the files go when this function ends.
  return await verifyInChild({ file: copy.file, mediaType, sha256, masterFile, knownFile }, signal);
}

async function end(
  app: App,
  { verificationId, workspaceId }: VerificationJob,
  outcome: { state: "complete"; result: object } | { state: "failed"; errorMessage: string },
): Promise<void> {
  const { state } = outcome;
  await app.db
    .updateTable("verifications")
    .set({
      state,
      completedAt: app.now(),
      ...(state === "complete" ? { result: JSON.stringify(outcome.result) } : { errorMessage: outcome.errorMessage }),
    })
    .where("verificationId", "=", verificationId)
    .where("workspaceId", "=", workspaceId)
    .where("state", "=", "working")
    .execute();
}
