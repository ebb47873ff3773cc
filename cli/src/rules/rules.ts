import type { Command } from "commander";
import { addCommand } from "../operator.ts";

/** Loaded when a command runs: the others answer sooner without the engine. */
export function addRulesCommands(program: Command): void {
  const rules = program.command("rules").description("look at the rules, try them, and write your own (docs/rules.md)");

  addCommand(rules, { name: "list", description: "list all rules by sidekick", example: "greenlit rules list" })
    .option("--packs <folder>", "rule packs of your own, beside the built-in ones")
    .action(async (options: { packs?: string; json?: boolean }) => {
      const { listRules } = await import("./show-rules.ts");
      await listRules(options);
    });

  addCommand(rules, {
    name: "show",
    description: "show everything about one rule",
    example: "greenlit rules show UK-FIN-CRYPTO",
  })
    .argument("<code>", "its code, as issues have it")
    .option("--packs <folder>", "rule packs of your own, beside the built-in ones")
    .action(async (code: string, options: { packs?: string; json?: boolean }) => {
      const { showRule } = await import("./show-rules.ts");
      await showRule(code, options);
    });

  addCommand(rules, {
    name: "test",
    description: "load packs and run every rule over its own examples",
    example: "greenlit rules test ./our-packs",
  })
    .argument("[folder]", "a folder of packs; left out: the built-in ones")
    .action(async (folder: string | undefined, options: { json?: boolean }) => {
      const { testRules } = await import("./test-rules.ts");
      await testRules(folder, options);
    });

  addCommand(rules, {
    name: "new",
    description: "write the file of a new rule, with comments, and its pack where there is none",
    example: "greenlit rules new ACME-NO-JARGON --pack ./our-packs/house-style",
  })
    .argument("<code>", "capitals, digits and dashes, like ACME-NO-JARGON")
    .requiredOption("--pack <folder>", "the folder of the pack")
    .action(async (code: string, options: { pack: string; json?: boolean }) => {
      const { newRule } = await import("./new-rule.ts");
      await newRule(code, options);
    });
}
