import type { Command } from "commander";
import { readConfig } from "@greenlit/server/config.ts";
import { buckets, loadPlans } from "@greenlit/server/workspaces/plans.ts";
import { addCommand } from "./operator.ts";
import { print, table } from "./print.ts";

export function addPlansCommand(program: Command): void {
  addCommand(program, {
    name: "plans",
    description: "show the plans: requests a minute for each bucket",
    example: "greenlit plans",
  })
    .addHelpText(
      "after",
      `
Change or add plans with a JSON file named by GREENLIT_PLANS_FILE, read when a process starts:
  {"scale": {"submission_read": 6000}, "partner": {"upload": 60, "submission_write": 60, "submission_read": 300}}
Buckets that a built-in plan's entry leaves out keep their limit; in a new plan they are 0. 0: not in the plan (402). null: no limit.`,
    )
    .action((options: { json?: boolean }) => {
      const plans = loadPlans(readConfig(process.env).config.plansFile);
      const rows = buckets.map((bucket) => [
        bucket,
        ...[...plans.values()].map((plan) =>
          plan[bucket] === null ? "no limit" : String(plan[bucket] || "not included"),
        ),
      ]);
      print(
        options,
        [...plans].map(([name, requestsPerMinute]) => ({ name, requestsPerMinute })),
        table(["requests a minute", ...plans.keys()], rows),
      );
    });
}
