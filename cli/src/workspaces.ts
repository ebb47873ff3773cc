import { InvalidArgumentError, Option, type Command } from "commander";
import type { Context } from "@greenlit/engine/sidekick.ts";
import { readConfig } from "@greenlit/server/config.ts";
import { secondReaderModes, type SecondReaderMode } from "@greenlit/server/db/tables.ts";
import { loadRules } from "@greenlit/server/load-rules.ts";
import {
  createWorkspace,
  listWorkspaces,
  setDefaults,
  setPlan,
  setSecondReader,
} from "@greenlit/server/workspaces/manage-workspaces.ts";
import { contextOption } from "./context-option.ts";
import { addCommand, operate } from "./operator.ts";
import { day, print, table } from "./print.ts";
import { addWorkspaceRemovalCommands } from "./workspace-removal.ts";

export function addWorkspacesCommands(program: Command): void {
  const workspaces = program.command("workspaces").description("create, list, export and delete workspaces");
  addWorkspaceRemovalCommands(workspaces);

  addCommand(workspaces, {
    name: "create",
    description: "create a workspace; it needs a key before it can be used",
    example: "greenlit workspaces create --name acme --plan starter --credits 500",
  })
    .requiredOption("--name <name>", "what people call it; unique")
    .option("--plan <plan>", "its plan, see `greenlit plans`", "local")
    .option("--credits <number>", "meter it, with this balance; default: not metered", wholeNumber)
    .action(async (options: { name: string; plan: string; credits?: number; json?: boolean }) => {
      const { workspaceId, name, plan } = await operate((operator) => createWorkspace(operator, options));
      print(options, { workspaceId, name, plan }, [
        `Created workspace ${name} (${workspaceId}) on plan ${plan}.`,
        `Next: greenlit keys create --workspace ${/\s/.test(name) ? workspaceId : name} --mode live`,
      ]);
    });

  addCommand(workspaces, {
    name: "list",
    description: "list all workspaces",
    example: "greenlit workspaces list",
  }).action(async (options: { json?: boolean }) => {
    const rows = await operate(({ db }) => listWorkspaces(db));
    print(
      options,
      rows,
      table(
        ["workspace", "name", "plan", "credits", "created (UTC)"],
        rows.map((row) => [
          row.workspaceId,
          row.name,
          row.plan,
          row.creditBalance ?? "not metered",
          day(row.createdAt),
        ]),
      ),
    );
  });

  addCommand(workspaces, {
    name: "set-plan",
    description: "change the plan of a workspace; running processes follow within 5 seconds",
    example: "greenlit workspaces set-plan --workspace acme --plan growth",
  })
    .requiredOption("--workspace <id-or-name>", "which workspace")
    .requiredOption("--plan <plan>", "its new plan, see `greenlit plans`")
    .action(async (options: { workspace: string; plan: string; json?: boolean }) => {
      const { workspaceId, name, plan } = await operate((operator) => setPlan(operator, options));
      print(options, { workspaceId, name, plan }, [`Workspace ${name} (${workspaceId}) is on plan ${plan} now.`]);
    });

  addCommand(workspaces, {
    name: "set-defaults",
    description: "set the sidekicks and the context for submissions that name none",
    example:
      "greenlit workspaces set-defaults --workspace acme --context sector=gambling --context jurisdictions=UK,IE",
  })
    .requiredOption("--workspace <id-or-name>", "which workspace")
    .option("--sidekicks <ids>", "comma-separated ids (`greenlit rules list`), or `all` for the common default")
    .option("--context <key=value>", "may be repeated; replaces the whole context", contextOption)
    .option("--no-context", "remove the default context")
    .action(async (options: { workspace: string; sidekicks?: string; context?: Context | boolean; json?: boolean }) => {
      const ids = options.sidekicks?.split(",").map((id) => id.trim().toLowerCase());
      const sidekickIds = options.sidekicks === "all" ? null : ids;
      const context = options.context === false ? null : options.context === true ? undefined : options.context;
      const { sidekicks } = await loadRules(readConfig(process.env).config);
      const saved = await operate(({ db }) =>
        setDefaults({ db, sidekicks }, { workspace: options.workspace, sidekickIds, context }),
      );
      const { workspaceId, name, defaultSidekickIds, defaultContext } = saved;
      const names = sidekicks.filter(({ sidekickId }) => defaultSidekickIds?.includes(sidekickId));
      print(options, { workspaceId, name, defaultSidekickIds, defaultContext }, [
        `Workspace ${name} (${workspaceId}):`,
        `  sidekicks  ${defaultSidekickIds === null ? "the common default" : names.map((each) => each.name).join(", ") || "none"}`,
        `  context    ${defaultContext === null ? "none" : JSON.stringify(defaultContext)}`,
      ]);
    });

  addCommand(workspaces, {
    name: "second-reader",
    description: "say what a language model (GREENLIT_LLM_URL) may see of a workspace's assets",
    example: "greenlit workspaces second-reader --workspace acme --allow text",
  })
    .requiredOption("--workspace <id-or-name>", "which workspace")
    .addOption(
      new Option("--allow <what>", "nothing; the words and findings; or frames of findings as well")
        .choices(secondReaderModes)
        .makeOptionMandatory(),
    )
    .action(async (options: { workspace: string; allow: SecondReaderMode; json?: boolean }) => {
      const { workspaceId, name, secondReader } = await operate(({ db }) =>
        setSecondReader(db, { workspace: options.workspace, mode: options.allow }),
      );
      print(options, { workspaceId, name, secondReader }, [
        `Workspace ${name} (${workspaceId}): the second reader sees ${described[secondReader]}.`,
      ]);
    });
}

const described: Record<SecondReaderMode, string> = {
  off: "nothing",
  text: "words and findings",
  media: "words, findings and frames of findings",
};

/** An option's value as a number of credits. */
export function wholeNumber(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError("It must be a whole number, 0 or more.");
  return Number(value);
}
