import type { Command } from "commander";
import type { Context } from "@greenlit/engine/sidekick.ts";
import { contextOption } from "../context-option.ts";
import { addCommand } from "../operator.ts";
import { addServiceOptions, type ServiceOptions } from "../submit/service-options.ts";
import type { BacktestCommand } from "./backtest.ts";
import type { NewRuleOptions } from "./new-rule.ts";

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
    .argument("[folder]", "a folder of packs, or one pack; default: the built-in ones")
    .option("--pack <name>", "only this pack, by the name of its folder")
    .option("--rule <code>", "only this rule")
    .action(async (folder: string | undefined, options: { pack?: string; rule?: string; json?: boolean }) => {
      const { testRules } = await import("./test-rules.ts");
      await testRules(folder, options);
    });

  addCommand(rules, {
    name: "explain",
    description: "show how a text is read (words, concepts, stance) and why each rule did or did not fire",
    example: 'greenlit rules explain "Cures arthritis in 7 days" --context jurisdictions=UK',
  })
    .argument("<text>", "the text, in quotes")
    .option("--context <key=value>", "what rules may assume; may be repeated", contextOption)
    .option("--on <place>", "document, screen or speech", "document")
    .option("--rule <code>", "only this rule")
    .option("--all", "also the rules that have nothing to do with the text")
    .option("--packs <folder>", "rule packs of your own, beside the built-in ones")
    .action(
      async (
        text: string,
        options: { context?: Context; on?: string; rule?: string; all?: boolean; packs?: string; json?: boolean },
      ) => {
        const { explain } = await import("./explain-rules.ts");
        await explain(text, options);
      },
    );

  addCommand(rules, {
    name: "lexicon",
    description: "show a list of words and the rules that use it",
    example: "greenlit rules lexicon disease",
  })
    .argument("<name>", "its name, as rules have it")
    .option("--packs <folder>", "rule packs of your own, beside the built-in ones")
    .action(async (name: string, options: { packs?: string; json?: boolean }) => {
      const { showLexicon } = await import("./show-lexicon.ts");
      await showLexicon(name, options);
    });

  addCommand(rules, {
    name: "new",
    description: "write the file of a new rule, with comments, and its pack where there is none",
    example: "greenlit rules new ACME-NO-JARGON --pack ./our-packs/house-style",
  })
    .argument("<code>", "capitals, digits and dashes, like ACME-NO-JARGON")
    .requiredOption("--pack <folder>", "the folder of the pack")
    .option("--fails <file>", "by example: texts that it must find, one a line, ten at least")
    .option("--passes <file>", "by example: texts that it must leave alone, one a line, ten at least")
    .option("--only-with <words>", "by example: words of which one must occur, or lists of words as @name, with commas")
    .action(async (code: string, options: NewRuleOptions) => {
      const { newRule } = await import("./new-rule.ts");
      await newRule(code, options);
    });

  addCommand(rules, {
    name: "suggest",
    description: "list the texts that a meaning rule is least sure about: label these first, it learns most from them",
    example: "greenlit rules suggest ACME-TONE --texts lines.txt --packs ./our-packs",
  })
    .argument("<code>", "a rule of kind meaning")
    .requiredOption("--texts <file>", "texts to choose from, one a line")
    .option("--packs <folder>", "rule packs of your own, beside the built-in ones")
    .option("--count <number>", "how many to list", "10")
    .action(async (code: string, options: { texts: string; packs?: string; count: string; json?: boolean }) => {
      const { suggestTexts } = await import("./suggest-texts.ts");
      await suggestTexts(code, options);
    });

  addServiceOptions(
    addCommand(rules, {
      name: "backtest",
      description: "say what packs of your own would have found in the assets of a workspace, before you install them",
      example: "greenlit rules backtest ./our-packs --since 90d",
    }),
  )
    .argument("<folder>", "a folder of packs")
    .option("--since <time>", "assets submitted since: 90d, 12h, or a date like 2026-08-01", "90d")
    .action(async (folder: string, options: BacktestCommand) => {
      const { backtest } = await import("./backtest.ts");
      await backtest(folder, options);
    });

  addServiceOptions(
    addCommand(rules, {
      name: "upcoming",
      description: "list rules that come into force later, and the assets of a workspace that will break them",
      example: "greenlit rules upcoming",
    }),
  ).action(async (options: ServiceOptions & { json?: boolean }) => {
    const { showUpcoming } = await import("./show-upcoming.ts");
    await showUpcoming(options);
  });
}
