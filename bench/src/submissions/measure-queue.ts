import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { startPart, type Part } from "../part.ts";
import { atLeast, atMost, median, type Result, rounded, say } from "../report.ts";
import { takeTurns } from "../rounds.ts";
import { connect, createDatabase } from "../scratch.ts";
import type { BareWorker } from "./bare-worker.ts";
import type { WorkingPart } from "./working-part.ts";

const rounds = 3;
// Fewer would be over before the compiler has seen the code often enough to make it fast.
const assets = 1000;
const backlog = 100_000;
const slots = availableParallelism();

/** Assets through the real workers with an engine that does nothing, against bare pg-boss, with few and with many waiting. */
export async function measureQueue(options: { folder: string; serverUrl: string }): Promise<Result> {
  const places = ["empty", "full"] as const;
  const databases = { empty: "", full: "" };
  const folders = { empty: join(options.folder, "empty"), full: join(options.folder, "full") };
  for (const place of places) {
    databases[place] = await createDatabase(options.serverUrl, `queue_${place}`);
    await mkdir(folders[place]);
  }
  const startWorker = (place: "empty" | "full") =>
    startPart<WorkingPart>(new URL("./working-part.ts", import.meta.url), {
      folder: folders[place],
      databaseUrl: databases[place],
      role: "api",
      env: { GREENLIT_WORKER_SLOTS: String(slots) },
    });
  const startBare = (place: "empty" | "full") =>
    startPart<BareWorker>(new URL("./bare-worker.ts", import.meta.url), {
      databaseUrl: databases[place],
      slots,
    });

  say(`letting ${backlog} wait`);
  for (const start of [startWorker, startBare]) {
    await using part: Part<WorkingPart | BareWorker> = await start("full");
    await part.ask("fill", backlog);
  }
  const written = { greenlit: [] as number[], bare: [] as number[] };
  const measure = async (name: "greenlit" | "bare", place: "empty" | "full") => {
    await using client = await connect(databases[place]);
    await using part: Part<WorkingPart | BareWorker> = await (name === "bare" ? startBare : startWorker)(place);
    if (place === "empty") await part.ask("fill", assets);
    const before = await nextTransaction(client);
    const perSecond = await part.ask("work", assets);
    written[name].push(((await nextTransaction(client)) - before) / assets);
    return perSecond;
  };
  const { medians, ratio } = await takeTurns(
    { rounds, unit: "assets/s" },
    {
      greenlit: () => measure("greenlit", "empty"),
      bare: () => measure("bare", "empty"),
      greenlitWithBacklog: () => measure("greenlit", "full"),
      bareWithBacklog: () => measure("bare", "full"),
    },
  );
  return {
    bars: [
      atLeast("rate of assets through the queue as a share of bare pg-boss's", ratio("greenlit", "bare"), 0.7),
      atMost(`times slower with ${backlog} waiting`, ratio("greenlit", "greenlitWithBacklog"), 1.5),
    ],
    figures: {
      assetsPerSecond: { ...medians, slots },
      commitsPerAsset: { greenlit: rounded(median(written.greenlit)), bare: rounded(median(written.bare)) },
    },
  };
}

/** Only transactions that write get a number, so the difference of two tells how many there were. */
async function nextTransaction(client: Awaited<ReturnType<typeof connect>>): Promise<number> {
  const { rows } = await client.query<{ next: string }>("select pg_snapshot_xmax(pg_current_snapshot())::text as next");
  return Number(rows[0]?.next);
}
