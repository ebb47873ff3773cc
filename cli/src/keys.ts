import { InvalidArgumentError, Option, type Command } from "commander";
import { parseDuration } from "@greenlit/server/setting-kinds.ts";
import { createKey, listKeys, revokeKey } from "@greenlit/server/workspaces/manage-keys.ts";
import { addCommand, operate } from "./operator.ts";
import { day, print, table } from "./print.ts";

export function addKeysCommands(program: Command): void {
  const keys = program.command("keys").description("create, list and revoke API keys");

  addCommand(keys, {
    name: "create",
    description: "create an API key; it is shown once and cannot be read again",
    example: "greenlit keys create --workspace acme --mode live --name 'ad pipeline' --expires 90d",
  })
    .requiredOption("--workspace <id-or-name>", "the workspace")
    .addOption(
      new Option("--mode <mode>", "live analyses for real, sandbox simulates")
        .choices(["live", "sandbox"])
        .makeOptionMandatory(),
    )
    .option("--name <name>", "what it is for")
    .option("--expires <duration>", "how long it is valid, like 12h or 90d; default: it does not expire", expiry)
    .action(
      async (options: {
        workspace: string;
        mode: "live" | "sandbox";
        name?: string;
        expires?: Date;
        json?: boolean;
      }) => {
        const created = await operate(({ db }) => createKey(db, { ...options, expiresAt: options.expires }));
        print(options, created, [
          `Created ${created.mode} key ${created.keyId} of workspace ${created.workspaceId}. It is shown only now:`,
          "",
          `  ${created.key}`,
        ]);
      },
    );

  addCommand(keys, {
    name: "list",
    description: "list keys by their id and last letters; the keys themselves are not stored",
    example: "greenlit keys list --workspace acme",
  })
    .option("--workspace <id-or-name>", "only the keys of this workspace")
    .action(async (options: { workspace?: string; json?: boolean }) => {
      const rows = await operate(({ db }) => listKeys(db, options));
      const state = (row: (typeof rows)[number]) =>
        row.revokedAt ? "revoked" : row.expiresAt && row.expiresAt < new Date() ? "expired" : "active";
      print(
        options,
        rows.map((row) => ({ ...row, state: state(row) })),
        table(
          ["key id", "workspace", "mode", "key", "state", "name", "last used (UTC)", "expires (UTC)"],
          rows.map((row) => [
            row.keyId,
            row.workspaceId,
            row.mode,
            row.keyHint,
            state(row),
            row.name,
            day(row.lastUsedAt),
            day(row.expiresAt),
          ]),
        ),
      );
    });

  addCommand(keys, {
    name: "revoke",
    description: "revoke a key; running processes refuse it within 5 seconds",
    example: "greenlit keys revoke 019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
  })
    .argument("<key-id>", "see `greenlit keys list`")
    .action(async (keyId: string, options: { json?: boolean }) => {
      const revoked = await operate(({ db }) => revokeKey(db, keyId));
      print(options, revoked, [`Key ${revoked.keyId} is revoked.`]);
    });
}

function expiry(value: string): Date {
  const milliseconds = parseDuration(value);
  if (!milliseconds) throw new InvalidArgumentError("It must be a duration like 12h or 90d.");
  return new Date(Date.now() + milliseconds);
}
