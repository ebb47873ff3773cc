import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { readConfig, type Config } from "@greenlit/server/config.ts";
import { locateDataFolder } from "@greenlit/server/data-folder.ts";
import { openDatabase, type Database } from "@greenlit/server/db/database.ts";
import { openEmbeddedPostgres } from "@greenlit/server/db/embedded-postgres.ts";
import { migrate } from "@greenlit/server/db/migrate.ts";
import { openRemoteStore } from "@greenlit/server/open-store.ts";
import { openFolderStore } from "@greenlit/server/storage/folder/folder-store.ts";
import type { Store } from "@greenlit/server/storage/store.ts";
import { loadPlans, type Plans } from "@greenlit/server/workspaces/plans.ts";

export type Operator = { db: Database["db"]; plans: Plans };

/** Opens the database an operator's command works on, runs it, and closes what was opened. */
export async function operate<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  const { config, warnings } = readConfig(process.env);
  for (const warning of warnings) console.error(`warning: ${warning}`);

  await using stack = new AsyncDisposableStack();
  const url =
    config.databaseUrl ??
    stack.use(
      await openEmbeddedPostgres({ dir: config.dataDir, command: `greenlit ${process.argv.slice(2, 4).join(" ")}` }),
    ).url;
  await migrate(url);
  const { db } = stack.use(openDatabase({ url, poolSize: 4, onError: () => {}, applicationName: "greenlit-cli" }));
  return await work({ db, plans: loadPlans(config.plansFile) });
}

/** The database and the bytes, for a command that looks at both. The service may run beside it. */
export async function openDatabaseAndStore(
  stack: AsyncDisposableStack,
  command: string,
): Promise<{ databaseUrl: string; store: Store }> {
  const { config } = readConfig(process.env);
  const databaseUrl = config.databaseUrl ?? stack.use(await openEmbeddedPostgres({ dir: config.dataDir, command })).url;
  // Nothing is uploaded through it: no address to give out, nothing to sign, no room to limit.
  const folder = { publicUrl: () => "", signingKey: new Uint8Array(), unclaimedQuotaBytes: 0 };
  const store = stack.use(
    (await openRemoteStore(config)) ??
      (await openFolderStore({ root: join(dataFolderOf(config), "store"), ...folder })),
  );
  return { databaseUrl, store };
}

/** Where the service keeps its files. Beside a PostgreSQL of its own it may have taken the configured folder as it is. */
export function dataFolderOf(config: Config): string {
  const configured = resolve(config.dataDir);
  return existsSync(join(configured, "store")) ? configured : locateDataFolder(config.dataDir).path;
}

/** A command that prints a result for people, or with --json for scripts. */
export function addCommand(parent: Command, options: { name: string; description: string; example: string }): Command {
  return parent
    .command(options.name)
    .description(options.description)
    .option("--json", "print the result as JSON, for scripts")
    .addHelpText("after", `\nExample:\n  $ ${options.example}`);
}
