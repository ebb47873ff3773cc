import type { Command } from "commander";
import { migrationNames } from "@greenlit/server/db/migrate.ts";
import { addCommand, operate } from "./operator.ts";
import { print } from "./print.ts";

export function addMigrateCommand(program: Command): void {
  addCommand(program, {
    name: "migrate",
    description: "bring the database up to date before new processes start; they would do it themselves",
    example: "DATABASE_URL=postgres://… greenlit migrate",
  }).action(async (options: { json?: boolean }) => {
    // Every command of an operator does so first.
    await operate(async () => undefined);
    const latest = migrationNames.at(-1) ?? "";
    print(options, { latest }, [`The database is up to date (${latest}).`]);
  });
}
