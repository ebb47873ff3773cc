import type { App } from "../app.ts";
import type { Status } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { recordMessages, type RealtimeEvent } from "../realtime/record-message.ts";

export type GivenSubmission = {
  submissionId: string;
  assetId: string;
  workspaceId: string;
  channel: string;
  /** Commits messages in one transaction, as a worker would. */
  tell(...messages: [RealtimeEvent, Record<string, unknown>][]): Promise<void>;
  /** Ends the submission: its rows and its messages. */
  settle(status: Status): Promise<void>;
};

/** A submission with one asset, as rows: nothing was uploaded and nothing works on it. */
export async function givenSubmission(
  app: App,
  { workspaceId, status = "processing" }: { workspaceId: string; status?: Status },
): Promise<GivenSubmission> {
  const [submissionId, assetId, uploadId, mediaId, versionGroupId] = Array.from({ length: 5 }, () => uuidv7()) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const now = new Date();
  const contentType = "image/png";
  const filename = "label.png";
  const row = { workspaceId, sizeBytes: 1, sha256: null };
  await app.db.transaction().execute(async (trx) => {
    await trx
      .insertInto("uploads")
      .values({ uploadId, workspaceId, filename, contentType, objectKey: uploadId, issuedAt: now, urlExpiresAt: null })
      .execute();
    await trx
      .insertInto("media")
      .values({ ...row, mediaId, uploadId, sourceEtag: "a", etag: "a", reference: uploadId })
      .execute();
    await trx.insertInto("versionGroups").values({ versionGroupId, workspaceId, lastVersionNumber: 1 }).execute();
    await trx
      .insertInto("submissions")
      .values({
        submissionId,
        workspaceId,
        mode: "sandbox",
        workflowId: submissionId,
        status,
        metadata: null,
        sidekickIds: [],
        simulationDelaySeconds: 0,
        createdAt: now,
        completedAt: null,
      })
      .execute();
    await trx
      .insertInto("assets")
      .values({
        ...row,
        assetId,
        submissionId,
        mediaId,
        versionGroupId,
        filename,
        contentType,
        status,
        position: 0,
        versionNumber: 1,
        workflowId: submissionId,
        issueCount: null,
        errorMessage: null,
        errorType: null,
        creditsHeld: null,
        completedAt: null,
      })
      .execute();
  });

  const tell: GivenSubmission["tell"] = (...messages) =>
    app.db.transaction().execute((trx) =>
      recordMessages(trx, {
        submissionId,
        workspaceId,
        now: new Date(),
        messages: messages.map(([event, data]) => ({ event, data })),
      }),
    );
  return {
    submissionId,
    assetId,
    workspaceId,
    channel: `private-submission-${submissionId}`,
    tell,
    settle: (next) =>
      app.db.transaction().execute(async (trx) => {
        const inWorkspace = { submissionId, workspaceId };
        await trx
          .updateTable("assets")
          .set({ status: next })
          .where((where) => where.and(inWorkspace))
          .execute();
        await trx
          .updateTable("submissions")
          .set({ status: next })
          .where((where) => where.and(inWorkspace))
          .execute();
        await recordMessages(trx, {
          ...inWorkspace,
          now: new Date(),
          messages: [
            ...(next === "complete" ? [{ event: "asset.completed" as const, data: { assetId } }] : []),
            ...(next === "failed" ? [{ event: "asset.failed" as const, data: { assetId } }] : []),
            { event: "submission.status", data: { submissionId, status: next } },
          ],
        });
      }),
  };
}
