import { sayEnough } from "./enough.ts";
import { stopParts } from "./part.ts";
import { type Bench, say } from "./report.ts";

/** Runs what the command line names: the result as one line of JSON on standard output, exit code 1 when a bar fails. */
export async function runByName(command: "bench" | "soak", benches: Record<string, Bench>): Promise<void> {
  const name = process.argv[2] ?? "";
  const bench = benches[name];
  if (!bench) {
    say(name === "" ? `Usage: npm run ${command} -- NAME` : `There is no ${command} "${name}".`);
    for (const [known, { about }] of Object.entries(benches)) say(`  ${known.padEnd(12)} ${about}`);
    process.exitCode = 2;
    return;
  }

  await using stack = new AsyncDisposableStack();
  let isInterrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      if (sayEnough()) return say("ending with the figures so far; once more stops at once");
      if (isInterrupted) return;
      isInterrupted = true;
      say("stopping");
      // What is being measured fails while its parts go away, and that is nobody's business any more.
      void stopParts()
        .then(() => stack.disposeAsync())
        .finally(() => process.exit(130));
    });
  try {
    const startedAt = performance.now();
    const { bars, figures } = await bench.run(stack);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(`${JSON.stringify({ bench: name, bars, figures: { ...figures, seconds } })}\n`);
    for (const bar of bars) say(`${bar.pass ? "pass" : "FAIL"}  ${bar.name}: ${bar.value} (limit ${bar.limit})`);
    process.exitCode = bars.every(({ pass }) => pass) ? 0 : 1;
  } catch (error) {
    if (isInterrupted) await new Promise(() => {});
    throw error;
  }
}
