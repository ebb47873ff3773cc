import { inspect } from "node:util";
import { Command } from "commander";
import { PackError } from "@greenlit/engine/rules/pack-error.ts";
import { CommandError } from "../command-error.ts";
import { addCheckCommand } from "./check.ts";
import { useKept } from "./kept-cache.ts";

/** `greenlit check` and nothing else, as bin/greenlit.js starts it from the folder that an earlier check kept. */
export async function runKept(keptFolder: string): Promise<void> {
  useKept(keptFolder);
  const program = new Command("greenlit").showHelpAfterError("(add --help to see what is possible)");
  addCheckCommand(program);
  try {
    await program.parseAsync();
  } catch (error) {
    const isExpected = error instanceof CommandError || error instanceof PackError;
    console.error(isExpected ? error.message : describe(error));
    process.exitCode ??= 1;
  }
}

function describe(error: unknown): string {
  const { path, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined || path === undefined) return inspect(error);
  return `${path} cannot be used: ${message.split(",")[0]}.`;
}
