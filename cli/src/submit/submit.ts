import type { Command } from "commander";
import { addReportOptions } from "../check/check.ts";
import { notChecked } from "../check/check-command.ts";
import { contextOption } from "../context-option.ts";
import { addServiceOptions } from "./service-options.ts";
import type { SubmitCommand } from "./run-submit.ts";

export function addSubmitCommand(program: Command): void {
  const command = program
    .command("submit")
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : notChecked))
    .description("upload files to a running service and submit them")
    .argument("<files...>", "the files to submit")
    .option("--wait", "follow the analysis and print what was found; a report option implies it")
    .option(
      "--context <key=value>",
      "what rules may assume, like sector=gambling or jurisdictions=UK,IE; may be repeated",
      contextOption,
    );
  addReportOptions(addServiceOptions(command))
    .addHelpText(
      "after",
      `
An upload that was interrupted goes on where it was when the same file is submitted again.
Exit codes: 0 submitted, or nothing at or above --fail-on; 1 findings; 2 a file could not be checked, or this command is wrong.

Examples:
  $ export GREENLIT_API_KEY=sk_live_…
  $ greenlit submit ad.mp4 --wait --context sector=alcohol --context jurisdictions=UK
  $ greenlit submit cuts/*.mov --server https://greenlit.example --sarif findings.sarif --fail-on MAJOR`,
    )
    .action(async (files: string[], options: SubmitCommand) => {
      const { runSubmit } = await import("./run-submit.ts");
      process.exitCode = notChecked;
      process.exitCode = await runSubmit(files, options);
    });
}
