import { runGreenlit } from "./program.ts";
import { addServeCommand } from "./serve.ts";

/** `greenlit serve` and nothing else, as bin/greenlit.js starts it from what an earlier start kept. */
export function runKept(): Promise<void> {
  return runGreenlit([(program) => addServeCommand(program, { isKept: true })]);
}
