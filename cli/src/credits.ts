import { InvalidArgumentError, type Command } from "commander";
import { findWorkspace, grantCredits } from "@greenlit/server/workspaces/manage-workspaces.ts";
import { addCommand, operate } from "./operator.ts";
import { print } from "./print.ts";
import { wholeNumber } from "./workspaces.ts";

export function addCreditsCommands(program: Command): void {
  const credits = program.command("credits").description("grant credits and read balances");

  addCommand(credits, {
    name: "grant",
    description: "add credits; a workspace that was not metered is metered from then on",
    example: "greenlit credits grant --workspace acme --amount 500",
  })
    .requiredOption("--workspace <id-or-name>", "which workspace")
    .requiredOption("--amount <number>", "how many credits to add", atLeastOne)
    .action(async (options: { workspace: string; amount: number; json?: boolean }) => {
      const { workspace, wasMetered } = await operate(({ db }) => grantCredits(db, options));
      print(
        options,
        { workspaceId: workspace.workspaceId, granted: options.amount, balance: workspace.creditBalance },
        [
          `Granted ${options.amount} credits. Workspace ${workspace.name} has ${workspace.creditBalance} now.`,
          ...(wasMetered ? [] : ["It was not metered before; from now on its analyses need credits."]),
        ],
      );
    });

  addCommand(credits, {
    name: "balance",
    description: "read the balance of a workspace",
    example: "greenlit credits balance --workspace acme",
  })
    .requiredOption("--workspace <id-or-name>", "which workspace")
    .action(async (options: { workspace: string; json?: boolean }) => {
      const { workspaceId, name, creditBalance } = await operate(({ db }) => findWorkspace(db, options.workspace));
      print(options, { workspaceId, balance: creditBalance, isMetered: creditBalance !== null }, [
        creditBalance === null
          ? `Workspace ${name} is not metered.`
          : `Workspace ${name} has ${creditBalance} credits.`,
      ]);
    });
}

function atLeastOne(value: string): number {
  const amount = wholeNumber(value);
  if (amount === 0) throw new InvalidArgumentError("It must be at least 1.");
  return amount;
}
