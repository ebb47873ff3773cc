import { applyLoad } from "../load.ts";
import { startPart } from "../part.ts";
import { atMost, median, rounded, say, type Bench } from "../report.ts";
import { openScratchFolder, startScratchPostgres } from "../scratch.ts";
import type { ServicePart } from "../service-part.ts";

const connections = 64;
const requests = 1_000_000;
const requestsPerSample = 25_000;

export const soakHttp: Bench = {
  about: "A million reads through the whole server; its memory after a collection must stay flat.",
  async run(stack) {
    const folder = await openScratchFolder(stack);
    const databaseUrl = await startScratchPostgres(stack, folder);
    const service = stack.use(
      await startPart<ServicePart>(
        new URL("../service-part.ts", import.meta.url),
        { folder, databaseUrl, role: "all" },
        { execArgv: ["--expose-gc"] },
      ),
    );
    const submissionId = await service.ask("giveSubmission");
    const { apiUrl, key } = service.ready;
    const target = {
      url: `${apiUrl}/api/integrations/submissions/${submissionId}`,
      headers: { "x-api-key": key },
      connections,
    };

    const curve: { requests: number; rssMb: number; heapMb: number }[] = [];
    for (let done = requestsPerSample; done <= requests; done += requestsPerSample) {
      const { perSecond } = await applyLoad({ ...target, requests: requestsPerSample });
      const { rssBytes, heapBytes } = await service.ask("measureMemory");
      const sample = { requests: done, rssMb: rounded(rssBytes / 1e6), heapMb: rounded(heapBytes / 1e6) };
      curve.push(sample);
      say(`${done} requests: ${sample.rssMb} MB resident, ${sample.heapMb} MB heap, ${rounded(perSecond)} requests/s`);
    }

    // The first quarter warms caches and code up; a leak goes on after it.
    const quarter = Math.floor(curve.length / 4);
    const growth = (of: (sample: (typeof curve)[number]) => number) =>
      median(curve.slice(-quarter).map(of)) / median(curve.slice(quarter, 2 * quarter).map(of));
    return {
      bars: [
        atMost(
          "resident memory in the last quarter against the second",
          growth(({ rssMb }) => rssMb),
          1.1,
        ),
        atMost(
          "heap in the last quarter against the second",
          growth(({ heapMb }) => heapMb),
          1.1,
        ),
      ],
      figures: { requests, curve },
    };
  },
};
