import { atMost, type Bench } from "../report.ts";
import { takeTurns } from "../rounds.ts";
import { assertFreeDisk, openScratchFolder, startScratchPostgres } from "../scratch.ts";
import { startReads } from "./measure-reads.ts";

export const soakSubmissions: Bench = {
  about: "Status reads at a million assets, against those at ten thousand.",
  async run(stack) {
    const folder = await openScratchFolder(stack);
    await assertFreeDisk(folder, 8 * 2 ** 30);
    const serverUrl = await startScratchPostgres(stack, folder);
    const few = await startReads(stack, { folder, serverUrl, assets: 10_000 });
    const many = await startReads(stack, { folder, serverUrl, assets: 1_000_000 });
    const { medians, ratio } = await takeTurns(
      { rounds: 9, unit: "reads/s" },
      { with10ThousandAssets: few, withAMillionAssets: many },
    );
    return {
      bars: [
        atMost("times slower reads at a million assets", ratio("with10ThousandAssets", "withAMillionAssets"), 1.2),
      ],
      figures: { statusReadsPerSecond: medians },
    };
  },
};
