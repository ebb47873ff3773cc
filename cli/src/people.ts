import { Option, type Command } from "commander";
import { readConfig } from "@greenlit/server/config.ts";
import { roles, type Role } from "@greenlit/server/db/people-tables.ts";
import { Failure } from "@greenlit/server/failure.ts";
import { invite } from "@greenlit/server/people/invitations.ts";
import { linkUrl } from "@greenlit/server/people/links.ts";
import { findByEmail, listPeople, setDisabled, setRole } from "@greenlit/server/people/manage-people.ts";
import { createResetLink } from "@greenlit/server/people/passwords.ts";
import type { PeopleContext } from "@greenlit/server/people/person.ts";
import { operator } from "@greenlit/server/workspaces/caller.ts";
import { findWorkspace } from "@greenlit/server/workspaces/manage-workspaces.ts";
import { CommandError } from "./command-error.ts";
import { addCommand, operate } from "./operator.ts";
import { day, print, table } from "./print.ts";

export function addPeopleCommands(program: Command): void {
  const people = program.command("people").description("invite, list and disable people who use the console");
  const roleOption = new Option("--role <role>", "what they may do").choices([...roles]).makeOptionMandatory();

  addCommand(people, {
    name: "invite",
    description: "create a link to join a workspace; it works once, for 7 days",
    example: "greenlit people invite ana@example.com --workspace acme --role reviewer",
  })
    .argument("<email>", "the person to invite")
    .requiredOption("--workspace <id-or-name>", "the workspace to join")
    .addOption(roleOption)
    .option("--markets <list>", "limit the role to these markets, comma-separated")
    .action(async (email: string, options: { workspace: string; role: Role; markets?: string; json?: boolean }) => {
      const { invitation, token } = await withPeople(async (context) => {
        const { workspaceId } = await findWorkspace(context.db, options.workspace);
        const markets = options.markets?.split(",").map((market) => market.trim()) ?? null;
        return invite(context, { workspaceId, email, role: options.role, markets, actor: operator });
      });
      const url = linkUrl(publicUrl(), "invitation", token);
      print(options, { ...invitation, url }, [
        `Invited ${invitation.email} as ${invitation.role}. Send them this link; it is shown only now:`,
        "",
        `  ${url}`,
      ]);
    });

  addCommand(people, {
    name: "list",
    description: "list people with their roles",
    example: "greenlit people list --workspace acme",
  })
    .option("--workspace <id-or-name>", "only the people of this workspace")
    .action(async (options: { workspace?: string; json?: boolean }) => {
      const rows = await withPeople(({ db }) => listPeople(db, options));
      print(
        options,
        rows,
        table(
          ["e-mail", "name", "roles", "state", "since (UTC)"],
          rows.map((row) => [
            row.email,
            row.name,
            row.workspaces.map(({ name, role }) => `${name}: ${role}`).join(", ") || "none",
            row.disabledAt ? "disabled" : "active",
            day(row.createdAt),
          ]),
        ),
      );
    });

  addCommand(people, {
    name: "set-role",
    description: "change somebody's role in a workspace; running processes follow within 5 seconds",
    example: "greenlit people set-role ana@example.com --workspace acme --role approver",
  })
    .argument("<email>", "the person")
    .requiredOption("--workspace <id-or-name>", "the workspace")
    .addOption(roleOption)
    .action(async (email: string, options: { workspace: string; role: Role; json?: boolean }) => {
      const changed = await withPeople((context) => setRole(context, { email, ...options }));
      print(options, changed, [`${changed.email} is ${changed.role} in ${changed.workspaceId} now.`]);
    });

  for (const isDisabled of [true, false])
    addCommand(people, {
      name: isDisabled ? "disable" : "enable",
      description: isDisabled
        ? "close an account everywhere; its sessions end within 5 seconds"
        : "open a disabled account again",
      example: `greenlit people ${isDisabled ? "disable" : "enable"} ana@example.com`,
    })
      .argument("<email>", "the person")
      .action(async (email: string, options: { json?: boolean }) => {
        const person = await withPeople((context) => setDisabled(context, { email, isDisabled }));
        print(options, person, [`${person.email} is ${isDisabled ? "disabled" : "active again"}.`]);
      });

  addCommand(people, {
    name: "reset-link",
    description: "create a link that sets a new password; it works once, for 24 hours",
    example: "greenlit people reset-link ana@example.com",
  })
    .argument("<email>", "the person")
    .action(async (email: string, options: { json?: boolean }) => {
      const { token, expiresAt } = await withPeople(async (context) => {
        const { personId } = await findByEmail(context.db, email);
        return createResetLink(context, { personId, actor: operator });
      });
      const url = linkUrl(publicUrl(), "reset", token);
      print(options, { url, expiresAt }, ["Send them this link; it is shown only now:", "", `  ${url}`]);
    });
}

/** What the service refuses, an operator reads as a message. */
async function withPeople<T>(work: (context: PeopleContext) => Promise<T>): Promise<T> {
  try {
    return await operate(({ db }) => work({ db, now: () => new Date() }));
  } catch (error) {
    if (error instanceof Failure) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

function publicUrl(): string {
  const { config } = readConfig(process.env);
  const host = config.host === "0.0.0.0" || config.host === "::" ? "localhost" : config.host;
  return config.publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${config.port}`;
}
