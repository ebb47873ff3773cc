import { makeProbe } from "@greenlit/engine/evidence/probe/probe-shape.ts";
import { noMeasurements } from "@greenlit/engine/measurements.ts";
import { analysisQueues } from "@greenlit/server/queue/queues.ts";
import { runJobs } from "@greenlit/server/jobs/run-jobs.ts";
import { servePart } from "../part.ts";
import { startBenchService, type ServiceOptions } from "../service.ts";
import { fillAssets, submitNote } from "./fill-assets.ts";
import { createPace } from "./pace.ts";

export type WorkingPart = {
  argument: ServiceOptions;
  ready: null;
  commands: {
    /** Submits so many more assets: their rows and their jobs. */
    fill(count: number): Promise<void>;
    /** Starts the workers, and gives the assets a second once so many were analysed. Once in a process. */
    work(count: number): Promise<number>;
  };
};

type RunAnalysis = NonNullable<NonNullable<Parameters<typeof runJobs>[1]>["runAnalysis"]>;

/** The real service and its real workers, but for an engine that finds nothing in no time. */
servePart<WorkingPart>(async (options, stack) => {
  const { service, workspaceId } = await startBenchService({ ...options, role: "api" }, stack);
  const { app } = service;
  return {
    ready: null,
    commands: {
      async fill(count) {
        const { mediaId, media } = await submitNote(app, workspaceId);
        let place = 0;
        for await (const batch of fillAssets(app, { workspaceId, mediaId, status: "submitted", count })) {
          await app.queue.boss.insert(
            analysisQueues.small,
            batch.map((asset) => ({ data: { ...asset, media }, priority: -place++ })),
          );
          if (count > batch.length) process.stderr.write(`${place} assets waiting\n`);
        }
      },
      async work(count) {
        const pace = createPace(count);
        const runAnalysis: RunAnalysis = async (_request, { onProbe }) => {
          pace.count();
          onProbe?.(probe);
          return { probe, findings: [], measurements: noMeasurements, frames: [], missingFrames: [] };
        };
        stack.use(await runJobs(app, { runAnalysis }));
        return pace.perSecond;
      },
    },
  };
});

const probe = makeProbe({
  kind: "document",
  container: "text",
  sizeBytes: 14,
  pages: 1,
});
