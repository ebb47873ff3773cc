import type { Command } from "commander";
import { packsOption, repeatedOption } from "../repeated-option.ts";
import { addServiceOptions } from "../submit/service-options.ts";
import type { McpCommand } from "./serve-mcp.ts";

export function addMcpCommand(program: Command): void {
  const command = program
    .command("mcp")
    .description("let an assistant check drafts: a Model Context Protocol server on stdin and stdout")
    .addOption(repeatedOption("--root <folder>", "files may be read from here", "this folder"))
    .addOption(packsOption());
  addServiceOptions(command)
    .addHelpText(
      "after",
      `
Tools: check_file, check_text, explain_rule, search_rules, read_submission. All of them only read.
read_submission asks the service of --server and needs a key; the others need no service.

In the settings of an assistant:
  {"mcpServers": {"greenlit": {"command": "npx", "args": ["greenlit", "mcp", "--root", "/path/to/drafts"]}}}`,
    )
    .action(async (options: McpCommand) => {
      const { serveMcp } = await import("./serve-mcp.ts");
      await serveMcp(options);
    });
}
