import type { Bench } from "../report.ts";
import { takeTurns } from "../rounds.ts";
import { openScratchFolder, startScratchPostgres } from "../scratch.ts";
import { measureCreating } from "./measure-creating.ts";
import { measureQueue } from "./measure-queue.ts";
import { startReads } from "./measure-reads.ts";

export const benchSubmissions: Bench = {
  about:
    "Creating submissions, reading their status, and assets through the queue, against bare transactions and pg-boss.",
  async run(stack) {
    const folder = await openScratchFolder(stack);
    const serverUrl = await startScratchPostgres(stack, folder);
    const creating = await measureCreating({ folder, serverUrl });
    const reads = await measureReads({ folder, serverUrl });
    const queue = await measureQueue({ folder, serverUrl });
    return {
      bars: [...creating.bars, ...queue.bars],
      figures: { ...creating.figures, statusReadsPerSecond: reads, ...queue.figures },
    };
  },
};

async function measureReads(options: { folder: string; serverUrl: string }): Promise<Record<string, number>> {
  await using stack = new AsyncDisposableStack();
  const read = await startReads(stack, { ...options, assets: 10_000 });
  const { medians } = await takeTurns({ rounds: 3, unit: "reads/s" }, { with10ThousandAssets: read });
  return medians;
}
