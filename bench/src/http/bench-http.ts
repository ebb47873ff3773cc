import { applyLoad } from "../load.ts";
import { startPart } from "../part.ts";
import { cpuSecondsOf } from "../process-figures.ts";
import { atLeast, median, rounded, type Bench } from "../report.ts";
import { takeTurns } from "../rounds.ts";
import { openScratchFolder, startScratchPostgres } from "../scratch.ts";
import type { ServicePart } from "../service-part.ts";
import type { BareReader } from "./bare-reader.ts";

const connections = 64;
const poolSize = 10;
const rounds = 11;
const roundSeconds = 3;

export const benchHttp: Bench = {
  about: "Reading one submission through the whole server, against a bare Fastify with one named SELECT of its row.",
  async run(stack) {
    const folder = await openScratchFolder(stack);
    const databaseUrl = await startScratchPostgres(stack, folder);
    const service = stack.use(
      await startPart<ServicePart>(new URL("../service-part.ts", import.meta.url), {
        folder,
        databaseUrl,
        role: "all",
        env: { GREENLIT_DATABASE_POOL_SIZE: String(poolSize) },
      }),
    );
    const bare = stack.use(
      await startPart<BareReader>(new URL("./bare-reader.ts", import.meta.url), { databaseUrl, poolSize }),
    );
    const submissionId = await service.ask("giveSubmission");
    const { apiUrl, key } = service.ready;
    const ours = {
      url: `${apiUrl}/api/integrations/submissions/${submissionId}`,
      headers: { "x-api-key": key },
      connections,
    };
    const limit = { url: `${bare.ready.url}/submissions/${submissionId}`, connections };

    for (const target of [ours, limit]) await applyLoad({ ...target, seconds: 2 });
    const microseconds = { greenlit: [] as number[], bare: [] as number[] };
    const measure = async (name: "greenlit" | "bare", pid: number) => {
      const before = cpuSecondsOf(pid);
      const { perSecond, requests } = await applyLoad({ ...(name === "bare" ? limit : ours), seconds: roundSeconds });
      microseconds[name].push(((cpuSecondsOf(pid) - before) * 1e6) / requests);
      return perSecond;
    };
    const { medians, ratio } = await takeTurns(
      { rounds, unit: "requests/s" },
      { greenlit: () => measure("greenlit", service.pid), bare: () => measure("bare", bare.pid) },
    );
    return {
      bars: [atLeast("rate of a read as a share of bare Fastify's", ratio("greenlit", "bare"), 0.6)],
      figures: {
        connections,
        poolSize,
        requestsPerSecond: medians,
        // Of the process alone, without PostgreSQL: what a busy machine changes least.
        cpuMicrosecondsPerRequest: {
          greenlit: rounded(median(microseconds.greenlit)),
          bare: rounded(median(microseconds.bare)),
        },
      },
    };
  },
};
