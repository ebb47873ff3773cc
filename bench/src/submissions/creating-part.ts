import { randomUUID } from "node:crypto";
import { createSubmission } from "@greenlit/server/submissions/creating/create-submission.ts";
import { allAtOnce } from "../at-once.ts";
import { servePart } from "../part.ts";
import { startBenchService, type ServiceOptions } from "../service.ts";
import { fillAssets, storeNote, submitNote } from "./fill-assets.ts";

export type CreatingPart = {
  argument: ServiceOptions;
  ready: { apiUrl: string; key: string };
  commands: {
    /** Blob paths, each of an upload that no submission took. */
    giveUploads(count: number): Promise<string[]>;
    /** By the verb alone, without HTTP; gives the seconds it took. */
    create(options: { blobPaths: string[]; atOnce: number }): Promise<number>;
    /** Completed submissions; gives the ids of some, evenly spread over all. */
    fill(options: { count: number; sample: number }): Promise<string[]>;
  };
};

/** The real service without its workers: nothing but the requests themselves makes work. */
servePart<CreatingPart>(async (options, stack) => {
  const { service, workspaceId, key } = await startBenchService(options, stack);
  const { app } = service;
  const caller = {
    mode: "live",
    workspaceId,
    plan: "scale",
    actor: { kind: "key", id: randomUUID(), name: null, role: "admin", markets: null },
  } as const;
  let uploads = 0;
  return {
    ready: { apiUrl: service.apiUrl ?? "", key },
    commands: {
      async giveUploads(count) {
        const names = Array.from({ length: count }, () => `note-${++uploads}.txt`);
        const paths: string[] = [];
        await allAtOnce(names, 16, async (filename) => {
          paths.push(await storeNote(app, { workspaceId, filename }));
        });
        return paths;
      },
      async create({ blobPaths, atOnce }) {
        const startedAt = performance.now();
        await allAtOnce(blobPaths, atOnce, async (blobPath) => {
          const submission = { assets: [{ blobPath }], simulationDelaySeconds: 0 };
          await createSubmission(app, { caller, submission, idempotent: undefined });
        });
        return (performance.now() - startedAt) / 1000;
      },
      async fill({ count, sample }) {
        const { mediaId } = await submitNote(app, workspaceId);
        for await (const batch of fillAssets(app, { workspaceId, mediaId, status: "complete", count }))
          process.stderr.write(`filled ${batch.length} more\n`);
        const { rows } = await app.pool.query<{ submission_id: string }>(
          `select submission_id from (
              select submission_id, row_number() over (order by submission_id) as number from submissions
                where workspace_id = $1
            ) numbered where number % $2 = 0 limit $3`,
          [workspaceId, Math.max(1, Math.floor(count / sample)), sample],
        );
        return rows.map((row) => row.submission_id);
      },
    },
  };
});
