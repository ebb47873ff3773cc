import { availableParallelism } from "node:os";
import type { EvidenceKey } from "@greenlit/engine/evidence/evidence.ts";
import { atLeast, atMost, type Bench, rounded, say } from "../report.ts";
import { takeTurns } from "../rounds.ts";
import { clipSeconds, cutClip, makeClip } from "./make-clip.ts";
import { type Measured, measureProcess } from "./measure-process.ts";
import { openGathering } from "./gathering.ts";
import { measureSlots } from "./slots.ts";

const rounds = 3;

/** Everything that is measured and nothing that is read, heard or guessed by a model. */
export const measuredKeys: EvidenceKey[] = [
  "black",
  "freezes",
  "silences",
  "loudness",
  "flashes",
  "patterns",
  "tones",
  "metadata",
];

export const allKeys: EvidenceKey[] = [...measuredKeys, "supers", "speech", "captions", "nudity"];

export const benchEngine: Bench = {
  about:
    "Evidence of a 30 s 1080p clip: CPU against a bare decode and against seven ffmpeg passes; time and memory; assets a minute at 1, 2 and 4 slots.",
  async run(stack) {
    const clip = await makeClip();
    const gather = await openGathering(stack);
    const peaks: Measured[] = [];
    const { medians, ratio } = await takeTurns(
      { rounds, unit: "CPU s" },
      {
        bare: async () => (await measureProcess("ffmpeg", [...quiet, "-i", clip, "-f", "null", "-"])).cpuSeconds,
        async evidence() {
          const measured = await gather(clip, measuredKeys);
          peaks.push(measured);
          return measured.cpuSeconds;
        },
      },
    );
    say("seven separate passes");
    const passes = await runPasses(clip);
    say("everything, with what is read and heard");
    const whole = await gather(clip, allKeys);
    const found = JSON.parse(whole.stdout) as {
      readerCalls: number | null;
      supers: string[] | null;
      spoken: string | null;
    };
    say("everything, and once more with models that are loaded");
    const timed = await gather(clip, [...allKeys, "again"], { isWatched: false });
    const { seconds, againSeconds } = JSON.parse(timed.stdout) as { seconds: number; againSeconds: number };
    say("several at once");
    const atSlots = await measureSlots(stack, { file: await cutClip(clip, 6), assetsEach: 2 });
    const peakBytes = Math.max(...peaks.map((measured) => measured.peakBytes));
    return {
      bars: [
        atMost("CPU of what is measured, in bare decodes", ratio("evidence", "bare"), 1.5),
        atMost("CPU of what is measured, in seven separate passes", medians.evidence / passes.cpuSeconds, 1),
        atMost("peak memory in MB of what is measured, all processes", peakBytes / 1e6, 400),
        // Otherwise the figures below would be those of an engine that looks away.
        atLeast("supers that were read, of nine", found.supers?.length ?? 0, 8),
        atLeast("words that were heard, of 70", found.spoken?.split(" ").length ?? 0, 50),
        atMost("time for everything, of the length of the clip", seconds / clipSeconds, 1),
        atMost("time for everything with loaded models, of the length of the clip", againSeconds / clipSeconds, 0.5),
        atMost("peak memory in MB of everything, all processes", whole.peakBytes / 1e6, 1200),
      ],
      figures: {
        cpuSeconds: { ...medians, sevenPasses: rounded(passes.cpuSeconds), everything: rounded(whole.cpuSeconds) },
        wallSeconds: {
          sevenPasses: rounded(passes.wallSeconds),
          everything: rounded(seconds),
          withLoadedModels: rounded(againSeconds),
        },
        residentMb: {
          evidence: rounded(Math.max(...peaks.map((measured) => measured.peakResidentBytes)) / 1e6),
          everything: rounded(whole.peakResidentBytes / 1e6),
        },
        readerCallsPerSecond: rounded((found.readerCalls ?? Number.NaN) / clipSeconds),
        cpuByProgram: shares(whole.cpuByProgram),
        /** Of a clip of 6 s; one analysis already keeps more than one core busy. */
        atSlots: { cores: availableParallelism(), ...atSlots },
        found,
      },
    };
  },
};

const quiet = ["-nostdin", "-hide_banner", "-nostats", "-loglevel", "error"];
const nowhere = ["-f", "null", "-"];

/** What a person would script to get at the same. */
async function runPasses(clip: string): Promise<{ cpuSeconds: number; wallSeconds: number }> {
  const passes = [
    ["-an", "-vf", "blackdetect=d=0", ...nowhere],
    ["-an", "-vf", "freezedetect=n=-60dB:d=0.5", ...nowhere],
    ["-vn", "-af", "silencedetect=n=-60dB:d=0.5", ...nowhere],
    ["-vn", "-af", "ebur128=peak=true", ...nowhere],
    ["-an", "-vf", "scale=320:180,format=rgb24", "-f", "rawvideo", "-y", "/dev/null"],
    ["-an", "-vf", "fps=2,scale=1280:720,format=rgb24", "-f", "rawvideo", "-y", "/dev/null"],
    ["-vn", "-ac", "1", "-ar", "16000", "-f", "s16le", "-y", "/dev/null"],
  ];
  let [cpuSeconds, wallSeconds] = [0, 0];
  for (const pass of passes) {
    const measured = await measureProcess("ffmpeg", [...quiet, "-i", clip, ...pass]);
    cpuSeconds += measured.cpuSeconds;
    wallSeconds += measured.wallSeconds;
  }
  return { cpuSeconds, wallSeconds };
}

function shares(seconds: Record<string, number>): Record<string, number> {
  const known = Object.entries(seconds).filter(([, value]) => value >= 0.1);
  return Object.fromEntries(known.toSorted(([, a], [, b]) => b - a).map(([name, value]) => [name, rounded(value)]));
}
