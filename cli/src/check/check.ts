import { type Command, Option } from "commander";
import { severities } from "@greenlit/engine/finding.ts";
import { CommandError } from "../command-error.ts";
import { contextOption } from "../context-option.ts";
import { packsOption, repeatedOption } from "../repeated-option.ts";
import { type CheckCommand, notChecked } from "./check-command.ts";

export function addCheckCommand(program: Command): void {
  const command = program
    .command("check")
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : notChecked))
    .description("check files on this machine, with no service and no database")
    .argument("[files...]", "the files to check")
    .option(
      "--changed-since <commit>",
      "check the media and copy that git says changed since then, instead of named files",
    )
    .addOption(repeatedOption("--sidekick <name>", "id, name or folder of a sidekick", "all default ones"))
    .option(
      "--context <key=value>",
      "what rules may assume, like sector=gambling or jurisdictions=UK,IE; may be repeated",
      contextOption,
    )
    .addOption(packsOption())
    .option("--markets <list>", "also say what markets would make of it, like UK:tv,US:online, or all");

  addReportOptions(command)
    .option("--ndjson", "print each file as one line of JSON as soon as it is done")
    .addHelpText(
      "after",
      `
Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 a file could not be checked, or this command is wrong.

Examples:
  $ greenlit check ad.mp4 --context sector=alcohol --context jurisdictions=UK --context channel=tv
  $ greenlit check ad.mp4 --markets UK:tv,IE:tv,US:online
  $ greenlit check brochure.pdf --sidekick "Green claims" --html report.html
  $ greenlit check assets/*.mp4 --json --fail-on MAJOR > result.json
  $ greenlit check photos/*.jpg --ndjson | jq -r .path
  $ greenlit check --changed-since main --sarif greenlit.sarif`,
    )
    .action(async (files: string[], options: CheckCommand) => {
      // Loaded only here: the other commands answer sooner without the engine.
      const { runCheck } = await import("./run-check.ts");
      // Whatever stops it before its own answer.
      process.exitCode = notChecked;
      process.exitCode = await runCheck(await chooseFiles(files, options.changedSince), options);
    });
}

/** What is written about the files, and when findings fail the command; `greenlit submit` takes the same. */
export function addReportOptions(command: Command): Command {
  return command
    .option("--json", "print everything as JSON, for scripts")
    .option("--sarif <file>", "also write SARIF 2.1.0, for code hosts")
    .option("--junit <file>", "also write JUnit XML, for build servers")
    .option("--html <file>", "also write a report with frames and curves, in one file")
    .addOption(
      new Option("--fail-on <severity>", "exit with 1 when a finding is at least so severe")
        .choices([...severities, "never"])
        .default("MINOR"),
    );
}

async function chooseFiles(named: string[], changedSince: string | undefined): Promise<string[]> {
  if (changedSince === undefined && named.length === 0)
    throw new CommandError("Name the files to check, or give --changed-since with a commit or branch.");
  if (changedSince === undefined) return named;
  const { changedFiles } = await import("./changed-files.ts");
  return [...named, ...changedFiles(changedSince)];
}
