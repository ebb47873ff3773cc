import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { useBuiltCode } from "@greenlit/engine/jail/built-code.ts";

/** What scripts/test.ts loads before each test file. */
const { GREENLIT_TEST_CODE: codeFolder, GREENLIT_TEST_TIMES: times } = process.env;
if (codeFolder !== undefined) useBuiltCode({ codeFolder });
const [, file] = process.argv;
if (times !== undefined && file?.endsWith(".test.ts"))
  process.on("exit", () => appendFileSync(times, `${cpuSeconds().toFixed(2)} ${relative("", file)}\n`));

/** User and system time, in ticks of 10 ms, of this process and of its children that have ended. */
function cpuSeconds(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const ticks = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15);
  return ticks.reduce((sum, each) => sum + Number(each), 0) / 100;
}
