import { setTimeout as sleep } from "node:timers/promises";
import { startPart, type Part } from "../part.ts";
import { atLeast, atMost, quantile, rounded, say, type Bench } from "../report.ts";
import { takeTurns } from "../rounds.ts";
import { openScratchFolder, startScratchPostgres } from "../scratch.ts";
import type { BareSender } from "./bare-sender.ts";
import type { DeliveringPart, Workspace } from "./delivering-part.ts";
import type { ReceiverPart } from "./receiver-part.ts";

const rounds = 5;
const count = 2000;
/** As many as one subscription may have running. */
const atOnce = 32;
const completions = 300;
const deadSubscriptions = 20;
const deadDeliveries = 100_000;

export const benchWebhooks: Bench = {
  about: "Deliveries a second against bare signed POSTs, and the delay of an event, also with many dead receivers.",
  async run(stack) {
    const folder = await openScratchFolder(stack);
    const databaseUrl = await startScratchPostgres(stack, folder);
    const receiver = stack.use(await startPart<ReceiverPart>(new URL("./receiver-part.ts", import.meta.url), null));
    const bare = stack.use(await startPart<BareSender>(new URL("./bare-sender.ts", import.meta.url), null));
    const service = stack.use(
      await startPart<DeliveringPart>(new URL("./delivering-part.ts", import.meta.url), {
        folder,
        databaseUrl,
        role: "all",
        env: { GREENLIT_WEBHOOK_ALLOW: "127.0.0.0/8", GREENLIT_WEBHOOK_HTTP: "true" },
      }),
    );
    const { fastUrl, timedUrl, hangingUrl, refusingUrl } = receiver.ready;

    const busy = await service.ask("subscribe", { name: "busy", urls: [fastUrl] });
    const contestants = {
      greenlit: async () => count / (await service.ask("deliver", { ...busy, count })),
      bare: async () => count / (await bare.ask("send", { url: fastUrl, count, atOnce })),
    };
    for (const warmUp of Object.values(contestants)) await warmUp();
    const { medians, ratio } = await takeTurns({ rounds, unit: "deliveries/s" }, contestants);

    const timed = await service.ask("subscribe", { name: "timed", urls: [timedUrl] });
    say("completing assets with nothing else to deliver");
    const quiet = await measureDelays({ service, receiver, timed });

    say(`completing assets with ${deadDeliveries} deliveries to dead receivers waiting`);
    const urls = Array.from({ length: deadSubscriptions }, (_, index) => (index % 2 === 0 ? hangingUrl : refusingUrl));
    const dead = await service.ask("subscribe", { name: "dead", urls });
    await service.ask("giveEvents", { ...dead, count: deadDeliveries / deadSubscriptions });
    await sleep(2000);
    const crowded = await measureDelays({ service, receiver, timed });

    return {
      bars: [
        atLeast("rate of deliveries as a share of bare signed POSTs'", ratio("greenlit", "bare"), 0.25),
        atMost("p99 in ms from completion to first byte", quantile(quiet, 0.99), 250),
        atMost(`the same with ${deadDeliveries} deliveries to dead receivers waiting`, quantile(crowded, 0.99), 1000),
      ],
      figures: {
        deliveriesPerSecond: { ...medians, atOnce },
        delayMs: { quiet: describe(quiet), crowded: describe(crowded) },
      },
    };
  },
};

async function measureDelays(options: {
  service: Part<DeliveringPart>;
  receiver: Part<ReceiverPart>;
  timed: Workspace;
}): Promise<number[]> {
  const { service, receiver, timed } = options;
  await service.ask("complete", { workspaceId: timed.workspaceId, count: completions, everyMs: 10 });
  const delays: number[] = [];
  for (const deadline = Date.now() + 30_000; delays.length < completions; await sleep(50)) {
    delays.push(...(await receiver.ask("takeDelaysMs")));
    if (Date.now() > deadline) throw new Error(`only ${delays.length} of ${completions} events arrived`);
  }
  return delays;
}

function describe(delays: readonly number[]): Record<string, number> {
  return {
    p50: rounded(quantile(delays, 0.5)),
    p99: rounded(quantile(delays, 0.99)),
    most: rounded(quantile(delays, 1)),
  };
}
