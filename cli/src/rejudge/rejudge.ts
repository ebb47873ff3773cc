import type { Command } from "commander";
import { contextOption } from "../context-option.ts";
import { addCommand } from "../operator.ts";
import { addServiceOptions } from "../submit/service-options.ts";
import type { RejudgeCommand } from "./run-rejudge.ts";

export function addRejudgeCommand(program: Command): void {
  const command = addCommand(program, {
    name: "rejudge",
    description: "judge the assets of a workspace again by the rules that the service has now, without their files",
    example: "greenlit rejudge --since 90d --csv changes.csv",
  });
  addServiceOptions(command)
    .option("--since <time>", "only assets that completed since: 90d, 12h, or a date like 2026-08-01")
    .option("--until <time>", "only assets that completed before")
    .option("--context <key=value>", "in place of what the submissions declared; may be repeated", contextOption)
    .option("--apply", "replace the results; default: only report what would change")
    .option("--csv <file>", "also write every difference as CSV")
    .action(async (options: RejudgeCommand) => {
      const { runRejudge } = await import("./run-rejudge.ts");
      await runRejudge(options);
    });
}
