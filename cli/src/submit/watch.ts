import { type Command, InvalidArgumentError } from "commander";
import { contextOption } from "../context-option.ts";
import { addServiceOptions } from "./service-options.ts";
import type { WatchCommand } from "./run-watch.ts";

export function addWatchCommand(program: Command): void {
  const command = program
    .command("watch")
    .description("submit every file that appears in a folder, each once")
    .argument("<folder>", "the folder; folders inside it are watched too")
    .option("--context <key=value>", "what rules may assume, as for submit; may be repeated", contextOption)
    .option("--settle <seconds>", "a file is complete when nothing has written to it for this long", seconds, 5)
    .option("--move-done <folder>", "move files here when their results are in; default: files stay where they are")
    .option("--once", "submit what is there, wait for the results, and end")
    .option("--state <file>", "where to remember what was submitted; default: a file in your state folder")
    .option("--json", "print one line of JSON for each event, for scripts");
  addServiceOptions(command)
    .addHelpText(
      "after",
      `
A file that is changed later is submitted again, as a new version. Names that begin with a dot, and those that
programs give to unfinished downloads (.part, .tmp, .crdownload), are left alone.

Example:
  $ GREENLIT_API_KEY=sk_live_… greenlit watch /mnt/deliveries --context jurisdictions=UK --move-done /mnt/checked`,
    )
    .action(async (folder: string, options: WatchCommand) => {
      const { runWatch } = await import("./run-watch.ts");
      process.exitCode = await runWatch(folder, options);
    });
}

function seconds(value: string): number {
  const number = Number(value);
  if (!(number >= 0)) throw new InvalidArgumentError("It must be a number of seconds.");
  return number;
}
