import { inspect } from "node:util";
import { Command } from "commander";
import { PackError } from "@greenlit/engine/rules/pack-error.ts";
import { ConfigError } from "@greenlit/server/config.ts";
import { DataFolderBusy, DataFolderUnusable } from "@greenlit/server/data-folder.ts";
import { databaseUnavailable } from "@greenlit/server/db/database.ts";
import { EmbeddedPostgresFailed } from "@greenlit/server/db/embedded-postgres-failed.ts";
import { OperatorError } from "@greenlit/server/failure.ts";
import { GreenlitError } from "@greenlit/sdk/src/errors.ts";
import packageFile from "../package.json" with { type: "json" };
import { CommandError } from "./command-error.ts";

/** What the operator can fix: the message says how. */
const expected = [
  CommandError,
  GreenlitError,
  OperatorError,
  PackError,
  ConfigError,
  DataFolderBusy,
  DataFolderUnusable,
  EmbeddedPostgresFailed,
];

export type AddCommands = (program: Command) => void;

/** Runs the one of these commands that the arguments name, or says what is possible. */
export async function runGreenlit(commands: readonly AddCommands[]): Promise<void> {
  const program = describeProgram();
  for (const add of commands) add(program);
  try {
    await program.parseAsync();
  } catch (error) {
    console.error(explain(error));
    process.exitCode ??= 1;
    // Whatever still holds the process must not keep it: who watches it waits for its end to start another.
    setTimeout(() => process.exit(), 10_000).unref();
  }
}

function describeProgram(): Command {
  return new Command("greenlit")
    .version(packageFile.version, "--version")
    .description("Media compliance submissions: run the service and manage who may use it.")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(add --help to see what is possible)")
    .addHelpText(
      "after",
      `
Examples:
  $ greenlit serve                                             run everything on this machine
  $ greenlit doctor                                            check what it needs on this machine
  $ greenlit workspaces create --name acme --plan starter      add a workspace
  $ greenlit keys create --workspace acme --mode sandbox       give it a key
  $ greenlit check ad.mp4 --html report.html                   check a file without the service
  $ greenlit submit ad.mp4 --wait                              check it by a running service

Commands work on the data folder (GREENLIT_DATA_DIR, default ./data), whether the service runs or not,
or on the PostgreSQL of DATABASE_URL. Every command takes --json for scripts.`,
    );
}

/** The message alone for what the operator can fix; the whole error for what only we can. */
function explain(error: unknown): string {
  if (expected.some((kind) => error instanceof kind)) return (error as Error).message;
  const unreachable = databaseUnavailable(error);
  if (unreachable)
    return `The database cannot be reached: ${rootMessage(error)}. Check DATABASE_URL and that PostgreSQL runs.`;
  if (isRefusedByDatabase(error)) return `The database refused: ${rootMessage(error)}. Check DATABASE_URL.`;
  if (isFileError(error)) return `${error.path} cannot be used: ${error.message.split(",")[0]}.`;
  return inspect(error);
}

/** A wrong user, password or database name, or a user without the rights that the tables need. */
function isRefusedByDatabase(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(28...|3D000|42501)$/.test(String(error.code));
}

function isFileError(error: unknown): error is Error & { path: string } {
  return error instanceof Error && "syscall" in error && "path" in error && typeof error.path === "string";
}

function rootMessage(error: unknown): string {
  return error instanceof Error && error.cause
    ? rootMessage(error.cause)
    : error instanceof Error
      ? error.message
      : String(error);
}
