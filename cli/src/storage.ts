import type { Command } from "commander";
import { checkStorage, type StorageReport } from "@greenlit/server/uploads/check-storage.ts";
import { addCommand, openDatabaseAndStore } from "./operator.ts";
import { print } from "./print.ts";
import { wholeNumber } from "./workspaces.ts";

const shown = 20;

export function addStorageCommands(program: Command): void {
  const storage = program.command("storage").description("compare the store with the database");

  addCommand(storage, {
    name: "check",
    description: "find rows whose bytes are missing and bytes that belong to nobody; exits with 1 when there are any",
    example: "greenlit storage check",
  })
    .option("--remove-orphans", "remove the bytes that belong to nobody")
    .option("--min-age <minutes>", "leave younger bytes alone: they may be on their way", wholeNumber, 60)
    .action(async (options: { removeOrphans?: boolean; minAge: number; json?: boolean }) => {
      const { removed, ...report } = await check(options);
      if (report.missing.length > 0 || report.orphans.length > removed) process.exitCode = 1;
      print(options, { ...report, removed }, describe(report, removed));
    });
}

async function check(options: {
  removeOrphans?: boolean;
  minAge: number;
}): Promise<StorageReport & { removed: number }> {
  await using stack = new AsyncDisposableStack();
  const { databaseUrl, store } = await openDatabaseAndStore(stack, "greenlit storage check");
  const report = await checkStorage({
    databaseUrl,
    store,
    olderThan: new Date(Date.now() - options.minAge * 60_000),
  });
  if (options.removeOrphans) for (const { objectKey } of report.orphans) await store.remove(objectKey);
  return { ...report, removed: options.removeOrphans ? report.orphans.length : 0 };
}

function describe({ objects, missing, orphans }: StorageReport, removed: number): string[] {
  const bytes = orphans.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const more = (count: number) => (count > shown ? [`  and ${count - shown} more (--json lists all)`] : []);
  return [
    `${objects} objects in the store.`,
    missing.length === 0
      ? "Every row has its bytes."
      : `${missing.length} rows have no bytes in the store. Restore them from a backup of the store:`,
    ...missing.slice(0, shown).map((key) => `  ${key}`),
    ...more(missing.length),
    orphans.length === 0
      ? "All bytes belong to a row."
      : `${orphans.length} objects (${bytes} bytes) belong to nobody${removed > 0 ? " and were removed" : ". Remove them with --remove-orphans"}:`,
    ...orphans.slice(0, shown).map(({ objectKey }) => `  ${objectKey}`),
    ...more(orphans.length),
  ];
}
