import { resolve } from "node:path";
import type { Command } from "commander";
import { exportWorkspace } from "@greenlit/server/backup/export-workspace.ts";
import { deleteWorkspace } from "@greenlit/server/workspaces/delete-workspace.ts";
import { findWorkspace } from "@greenlit/server/workspaces/manage-workspaces.ts";
import { addCommand, openDatabaseAndStore, operate } from "./operator.ts";
import { print } from "./print.ts";

/** What an operator does when a workspace leaves: hand its data over, then delete it. */
export function addWorkspaceRemovalCommands(workspaces: Command): void {
  addCommand(workspaces, {
    name: "export",
    description: "write submissions, results, decisions and media of a workspace into one archive",
    example: "greenlit workspaces export acme.tar.zst --workspace acme",
  })
    .argument("<file>", "where to; it must not exist yet")
    .requiredOption("--workspace <id-or-name>", "which workspace")
    .option("--no-media", "leave the files out")
    .action(async (file: string, options: { workspace: string; media: boolean; json?: boolean }) => {
      const { workspaceId, name } = await operate(({ db }) => findWorkspace(db, options.workspace));
      const { rows, media, missing } = await write({ file: resolve(file), workspaceId, isWithMedia: options.media });
      if (missing.length > 0) process.exitCode = 1;
      print(options, { file: resolve(file), workspaceId, name, rows, media, missing }, [
        `Wrote ${resolve(file)}: ${rows["submissions"]} submissions, ${rows["issues"]} findings and ${media} files of ${name}.`,
        ...(missing.length > 0
          ? [`${missing.length} files are not in the store: \`greenlit storage check\` names them.`]
          : []),
      ]);
    });

  addCommand(workspaces, {
    name: "delete",
    description: "delete a workspace with everything it owns: submissions, media, keys, webhooks, audit",
    example: "greenlit workspaces delete --workspace acme --yes",
  })
    .requiredOption("--workspace <id-or-name>", "which workspace")
    .option("--yes", "do it; left out: only say what would be deleted")
    .action(async (options: { workspace: string; yes?: boolean; json?: boolean }) => {
      const isTrial = !options.yes;
      const { name, ...gone } = await operate(({ db }) =>
        deleteWorkspace(db, { workspace: options.workspace, now: new Date(), isTrial }),
      );
      if (isTrial) process.exitCode = 1;
      const what = `workspace ${name} (${gone.workspaceId}) with ${gone.submissions} submissions and ${gone.objects} stored files`;
      print(options, { ...gone, name, isDeleted: !isTrial }, [
        isTrial
          ? `This would delete ${what}, for ever. Export it first (greenlit workspaces export), then repeat with --yes.`
          : `Deleted ${what}. The running service removes the files within minutes.`,
      ]);
    });
}

async function write(options: { file: string; workspaceId: string; isWithMedia: boolean }) {
  await using stack = new AsyncDisposableStack();
  const { databaseUrl, store } = await openDatabaseAndStore(stack, "greenlit workspaces export");
  return exportWorkspace({ ...options, databaseUrl, store, now: new Date() });
}
