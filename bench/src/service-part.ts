import { givenSubmission } from "@greenlit/server/testing/given-submission.ts";
import { insertPerson } from "@greenlit/server/people/person.ts";
import { startSession } from "@greenlit/server/people/sessions.ts";
import { servePart } from "./part.ts";
import { startBenchService, type ServiceOptions } from "./service.ts";

export type ServicePart = {
  argument: ServiceOptions;
  ready: { apiUrl: string; workspaceId: string; key: string };
  commands: {
    /** After a collection, when the process was started with `--expose-gc`. */
    measureMemory(): Promise<{ rssBytes: number; heapBytes: number }>;
    giveSubmission(): Promise<string>;
    /** The cookie of somebody who is signed in. */
    givePerson(): Promise<string>;
    removeUploads(): Promise<void>;
  };
};

servePart<ServicePart>(async (options, stack) => {
  const { service, workspaceId, key } = await startBenchService(options, stack);
  const { app } = service;
  return {
    ready: { apiUrl: service.apiUrl ?? "", workspaceId, key },
    commands: {
      async measureMemory() {
        globalThis.gc?.();
        const { rss, heapUsed } = process.memoryUsage();
        return { rssBytes: rss, heapBytes: heapUsed };
      },
      async giveSubmission() {
        const { submissionId } = await givenSubmission(app, { workspaceId });
        return submissionId;
      },
      async givePerson() {
        const now = new Date();
        const person = { email: "bench@example.com", name: "Bench", passwordHash: null, now };
        const { personId } = await insertPerson(app.db, person);
        await app.db
          .insertInto("memberships")
          .values({ personId, workspaceId, role: "viewer", createdAt: now })
          .execute();
        const browser = { userAgent: "bench", address: "127.0.0.1" };
        return `greenlit=${(await startSession(app.db, { personId, browser, now })).token}`;
      },
      async removeUploads() {
        for await (const { key } of app.store.list("")) await app.store.remove(key);
      },
    },
  };
});
