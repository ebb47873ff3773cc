import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { housekeeping } from "@greenlit/server/jobs/housekeeping.ts";
import { insertPerson } from "@greenlit/server/people/person.ts";
import { startSession } from "@greenlit/server/people/sessions.ts";
import { analysisQueues } from "@greenlit/server/queue/queues.ts";
import { createSubmission } from "@greenlit/server/submissions/creating/create-submission.ts";
import { removeOldSubmissions } from "@greenlit/server/submissions/remove-old-submissions.ts";
import { declareFile } from "@greenlit/server/uploads/record-upload.ts";
import { storeDirectly } from "@greenlit/server/uploads/store-directly.ts";
import { Readable } from "node:stream";
import { servePart } from "../part.ts";
import { startBenchService, type ServiceOptions } from "../service.ts";
import { storeNote } from "../submissions/fill-assets.ts";
import type { Template } from "./fill-scale.ts";

export type ScalePart = {
  argument: ServiceOptions;
  ready: { apiUrl: string; workspaceId: string; key: string };
  commands: {
    /** A text with findings, analysed by the real worker. */
    makeTemplate(): Promise<Template>;
    /** The cookie of somebody who may read that workspace. */
    signIn(options: { workspaceId: string }): Promise<string>;
    storeNotes(options: { workspaceId: string; count: number }): Promise<string[]>;
    /** These give the milliseconds they took. */
    keepHouse(): Promise<number>;
    removeOld(options: { endedBefore: Date }): Promise<{ milliseconds: number; removed: number }>;
    takeJob(): Promise<number>;
  };
};

const text = "Our cream cures arthritis in a week. Guaranteed. Lose 10 kg in two weeks! Double your money, risk free.";

servePart<ScalePart>(async (options, stack) => {
  const { service, workspaceId, key } = await startBenchService(options, stack);
  const { app } = service;
  return {
    ready: { apiUrl: service.apiUrl ?? "", workspaceId, key },
    commands: {
      async makeTemplate() {
        const file = declareFile({ filename: "copy.txt", contentType: "text/plain" });
        const { blobPath } = await storeDirectly(app, { workspaceId, file, body: Readable.from([Buffer.from(text)]) });
        const actor = { kind: "key", id: randomUUID(), name: null, role: "admin", markets: null } as const;
        const { submissionId, assets } = await createSubmission(app, {
          caller: { mode: "live", workspaceId, plan: "scale", actor },
          submission: { assets: [{ blobPath }], simulationDelaySeconds: 0 },
          idempotent: undefined,
        });
        const find = () =>
          app.db
            .selectFrom("submissions")
            .select("status")
            .where("submissionId", "=", submissionId)
            .where("workspaceId", "=", workspaceId)
            .executeTakeFirstOrThrow();
        while ((await find()).status !== "complete") await setTimeout(100);
        return { workspaceId, submissionId, assetId: assets[0]?.assetId ?? "" };
      },
      async signIn({ workspaceId: readable }) {
        const [now, browser] = [app.now(), { userAgent: "bench", address: "127.0.0.1" }];
        const { token } = await app.db.transaction().execute(async (trx) => {
          const person = { email: "scale@example.com", name: "Scale", passwordHash: null };
          const { personId } = await insertPerson(trx, { ...person, now });
          await trx
            .insertInto("memberships")
            .values({ personId, workspaceId: readable, role: "admin", markets: null, createdAt: now })
            .execute();
          return startSession(trx, { personId, browser, now });
        });
        return `greenlit=${token}`;
      },
      async storeNotes({ workspaceId: owner, count }) {
        const paths: string[] = [];
        for (let note = 0; note < count; note++)
          paths.push(await storeNote(app, { workspaceId: owner, filename: `note-${randomUUID()}.txt` }));
        return paths;
      },
      keepHouse: () => millisecondsOf(() => housekeeping(app)),
      async removeOld(options) {
        let removed = 0;
        const milliseconds = await millisecondsOf(async () => {
          ({ removed } = await removeOldSubmissions(app, options));
        });
        return { milliseconds, removed };
      },
      takeJob: () => millisecondsOf(() => app.queue.boss.fetch(analysisQueues.small)),
    },
  };
});

async function millisecondsOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}
