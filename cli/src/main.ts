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

const program = new Command("greenlit")
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

/** In the order of the help. Loaded by name: all together would double the start of each. */
const commands: { names: string[]; load: () => Promise<(program: Command) => void> }[] = [
  { names: ["serve"], load: async () => (await import("./serve.ts")).addServeCommand },
  { names: ["doctor"], load: async () => (await import("./doctor.ts")).addDoctorCommand },
  { names: ["backup", "restore"], load: async () => (await import("./backup.ts")).addBackupCommands },
  { names: ["migrate"], load: async () => (await import("./migrate.ts")).addMigrateCommand },
  { names: ["storage"], load: async () => (await import("./storage.ts")).addStorageCommands },
  { names: ["check"], load: async () => (await import("./check/check.ts")).addCheckCommand },
  { names: ["submit"], load: async () => (await import("./submit/submit.ts")).addSubmitCommand },
  { names: ["watch"], load: async () => (await import("./submit/watch.ts")).addWatchCommand },
  { names: ["mcp"], load: async () => (await import("./mcp/mcp.ts")).addMcpCommand },
  { names: ["rules"], load: async () => (await import("./rules/rules.ts")).addRulesCommands },
  { names: ["rejudge"], load: async () => (await import("./rejudge/rejudge.ts")).addRejudgeCommand },
  { names: ["workspaces"], load: async () => (await import("./workspaces.ts")).addWorkspacesCommands },
  { names: ["keys"], load: async () => (await import("./keys.ts")).addKeysCommands },
  { names: ["people"], load: async () => (await import("./people.ts")).addPeopleCommands },
  { names: ["audit"], load: async () => (await import("./audit.ts")).addAuditCommands },
  { names: ["verify"], load: async () => (await import("./verify.ts")).addVerifyCommand },
  { names: ["certificates"], load: async () => (await import("./certificates.ts")).addCertificatesCommands },
  { names: ["plans"], load: async () => (await import("./plans.ts")).addPlansCommand },
  { names: ["credits"], load: async () => (await import("./credits.ts")).addCreditsCommands },
  { names: ["webhooks"], load: async () => (await import("./webhooks.ts")).addWebhooksCommands },
];
const [asked = ""] = process.argv.slice(2);
const named = commands.filter(({ names }) => names.includes(asked));
// The help, and the nearest name of a mistyped one, need them all.
for (const { load } of named.length > 0 ? named : commands) (await load())(program);

try {
  await program.parseAsync();
} catch (error) {
  console.error(explain(error));
  process.exitCode ??= 1;
  // Whatever still holds the process must not keep it: who watches it waits for its end to start another.
  setTimeout(() => process.exit(), 10_000).unref();
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
