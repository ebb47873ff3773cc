import { givenSubmission } from "@greenlit/server/testing/given-submission.ts";
import { servePart } from "./part.ts";
import { startBenchService, type ServiceOptions } from "./service.ts";

export type ServicePart = {
  argument: ServiceOptions;
  ready: { apiUrl: string; workspaceId: string; key: string };
  commands: {
    /** After a collection, when the process was started with `--expose-gc`. */
    measureMemory(): Promise<{ rssBytes: number; heapBytes: number }>;
    giveSubmission(): Promise<string>;
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
      async removeUploads() {
        for await (const { key } of app.store.list("")) await app.store.remove(key);
      },
    },
  };
});
