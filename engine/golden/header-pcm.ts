import { headerBurst, mix, toSamples, weeklyTest } from "./sounds.ts";

/** Writes raw 16 kHz mono of EAS bursts to the standard output, for make-flashes.sh. */
const bursts = [
  headerBurst(weeklyTest, { startSeconds: 0.5 }),
  headerBurst(weeklyTest, { startSeconds: 2.5 }),
  headerBurst("NNNN", { startSeconds: 4.5 }),
];
const samples = toSamples(mix(...bursts.map((burst) => burst.wave)), 5.5);
process.stdout.write(new Uint8Array(samples.buffer));
