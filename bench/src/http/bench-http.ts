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
  about:
    "Reading one submission through the whole server, by a key and by a person, against a bare Fastify with one named SELECT of its row.",
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
    const person = { ...ours, headers: { cookie: await service.ask("givePerson") } };
    const limit = { url: `${bare.ready.url}/submissions/${submissionId}`, connections };
    const targets = { greenlit: ours, person, bare: limit };

    for (const target of Object.values(targets)) await applyLoad({ ...target, seconds: 2 });
    const microseconds = { greenlit: [] as number[], person: [] as number[], bare: [] as number[] };
    const measure = async (name: keyof typeof targets, pid: number) => {
      const before = cpuSecondsOf(pid);
      const { perSecond, requests } = await applyLoad({ ...targets[name], seconds: roundSeconds });
      microseconds[name].push(((cpuSecondsOf(pid) - before) * 1e6) / requests);
      return perSecond;
    };
    const { medians, ratio } = await takeTurns(
      { rounds, unit: "requests/s" },
      {
        greenlit: () => measure("greenlit", service.pid),
        person: () => measure("person", service.pid),
        bare: () => measure("bare", bare.pid),
      },
    );
    return {
      bars: [
        atLeast("rate of a read as a share of bare Fastify's", ratio("greenlit", "bare"), 0.7),
        atLeast("rate of a person's read as a share of a key's", ratio("person", "greenlit"), 0.9),
      ],
      figures: {
        connections,
        poolSize,
        requestsPerSecond: medians,
        // Of the process alone, without PostgreSQL: what a busy machine changes least.
        cpuMicrosecondsPerRequest: {
          greenlit: rounded(median(microseconds.greenlit)),
          person: rounded(median(microseconds.person)),
          bare: rounded(median(microseconds.bare)),
        },
      },
    };
  },
};
