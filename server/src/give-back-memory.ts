import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects what the start left behind (parsed rule files, compiled sources) and gives its pages back to the system, once.
 * V8 would keep them for as long as the service has something to do: a third of its resident memory.
 */
export function giveBackMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { type: "major"; flavor: "last-resort" }) => void;
  collect({ type: "major", flavor: "last-resort" });
}
