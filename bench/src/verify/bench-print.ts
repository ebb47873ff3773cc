import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { analysisArguments } from "@greenlit/engine/jail/worker-code.ts";
import { measuredKeys } from "../engine/bench-engine.ts";
import { makeClip } from "../engine/make-clip.ts";
import { measureProcess } from "../engine/measure-process.ts";
import { atMost, type Bench, rounded } from "../report.ts";
import { takeTurns } from "../rounds.ts";

const rounds = 3;

export const benchPrint: Bench = {
  about: "The print of a 30 s 1080p clip on top of the one pass, and a comparison with it, in CPU of a bare decode.",
  async run(stack) {
    const clip = await makeClip();
    const folder = await mkdtemp(join(tmpdir(), "greenlit-bench-print-"));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const print = join(folder, "clip.print");
    const program = fileURLToPath(new URL("./print-part.ts", import.meta.url));
    const node = [...analysisArguments({ heapBytes: 2 ** 30 }), program];
    const run = (mode: string) => measureProcess(process.execPath, [...node, mode, clip, print, ...measuredKeys]);
    const matches: string[] = [];
    await run("print");
    const { medians, ratio } = await takeTurns(
      { rounds, unit: "CPU s" },
      {
        bare: async () =>
          (await measureProcess("ffmpeg", ["-nostdin", "-loglevel", "error", "-i", clip, "-f", "null", "-"]))
            .cpuSeconds,
        pass: async () => (await run("pass")).cpuSeconds,
        printed: async () => (await run("print")).cpuSeconds,
        async verify() {
          const { cpuSeconds, stdout } = await run("verify");
          matches.push(stdout);
          return cpuSeconds;
        },
      },
    );
    return {
      bars: [
        atMost(
          "CPU of the print on top of the pass, in bare decodes",
          ratio("printed", "bare") - ratio("pass", "bare"),
          0.15,
        ),
        atMost("CPU of a comparison, in passes of the analysis", ratio("verify", "pass"), 1),
        // Otherwise the comparison would be cheap because it gave up.
        atMost(
          "comparisons that did not call it the same",
          matches.filter((match) => !match.startsWith("SAME")).length,
          0,
        ),
      ],
      figures: {
        cpuSeconds: medians,
        printBytes: (await stat(print)).size,
        verifyInBareDecodes: rounded(ratio("verify", "bare")),
      },
    };
  },
};
