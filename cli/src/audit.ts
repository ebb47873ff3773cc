import { Option, type Command } from "commander";
import { auditFormats, exportAudit, type AuditFormat } from "@greenlit/server/audit/export-audit.ts";
import { verifyAudit } from "@greenlit/server/audit/read-audit.ts";
import { findWorkspace, listWorkspaces } from "@greenlit/server/workspaces/manage-workspaces.ts";
import { addCommand, operate } from "./operator.ts";
import { print } from "./print.ts";

export function addAuditCommands(program: Command): void {
  const audit = program.command("audit").description("prove and export what was changed, by whom and when");

  addCommand(audit, {
    name: "verify",
    description: "recompute the hash chain of the audit; exits with 1 and names the first broken link",
    example: "greenlit audit verify --workspace acme",
  })
    .option("--workspace <id-or-name>", "only this workspace; default: all of them")
    .action(async (options: { workspace?: string; json?: boolean }) => {
      const proofs = await operate(async ({ db }) => {
        const workspaces =
          options.workspace === undefined ? await listWorkspaces(db) : [await findWorkspace(db, options.workspace)];
        const found = [];
        for (const { workspaceId, name } of workspaces) found.push({ name, ...(await verifyAudit(db, workspaceId)) });
        return found;
      });
      if (proofs.some(({ broken }) => broken !== null)) process.exitCode = 1;
      print(
        options,
        proofs,
        proofs.map(({ name, workspaceId, entries, head, broken }) =>
          broken === null
            ? `${name} (${workspaceId}): ${entries} entries, unbroken. Head ${head}`
            : `${name} (${workspaceId}): BROKEN at entry ${broken.number}: ${broken.reason}. What was written before it is unchanged (entries: ${entries}).`,
        ),
      );
    });

  addCommand(audit, {
    name: "export",
    description: "write the audit of a workspace to standard output",
    example: "greenlit audit export --workspace acme --format csv > audit.csv",
  })
    .requiredOption("--workspace <id-or-name>", "which workspace")
    .addOption(new Option("--format <format>", "a line an entry").choices([...auditFormats]).default("ndjson"))
    .action(async (options: { workspace: string; format: AuditFormat }) => {
      await operate(async ({ db }) => {
        const { workspaceId } = await findWorkspace(db, options.workspace);
        for await (const line of exportAudit(db, { workspaceId, format: options.format })) process.stdout.write(line);
      });
    });
}
