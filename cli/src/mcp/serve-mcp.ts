import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import { builtInPacksFolder, loadPacks } from "@greenlit/engine/rules/load-packs.ts";
import packageFile from "../../package.json" with { type: "json" };
import { connect, type ServiceOptions } from "../submit/service-options.ts";
import { createDraftChecker } from "./check-draft.ts";
import { readSubmission } from "./read-submission.ts";
import { explainRule, searchRules } from "./rule-tools.ts";

export type McpCommand = ServiceOptions & { root: string[]; packs: string[] };

const context = z
  .object({
    jurisdictions: z.array(z.string()).optional().describe("Like UK, IE, US, EU"),
    sector: z.string().optional().describe("Like alcohol, gambling, consumer-credit, crypto"),
    channel: z.string().optional().describe("Like tv, online, social"),
    audience: z.string().optional().describe("Like general, kids"),
    destination: z.string().optional().describe("A delivery specification, like ebu-r128"),
    brand: z.string().optional().describe("As it is spelled: it corrects what is heard"),
    product: z.string().optional().describe("As it is spelled: it corrects what is heard"),
  })
  .optional()
  .describe("What is known about the advertisement; without it, rules that depend on it are milder or ask");

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

/** Serves until the assistant closes stdin. Nothing but the protocol may be written to stdout. */
export async function serveMcp(options: McpCommand): Promise<void> {
  const packs = await loadPacks([builtInPacksFolder, ...options.packs]);
  await using models = openModels();
  const drafts = createDraftChecker({
    sidekicks: packs.flatMap(({ sidekick }) => (sidekick.isDefault ? [sidekick] : [])),
    roots: options.root.length > 0 ? options.root : [process.cwd()],
    models,
  });
  const server = new McpServer({ name: "greenlit", version: packageFile.version });

  server.registerTool(
    "check_file",
    {
      title: "Check a media file",
      description:
        "Checks a video, sound, picture or document on this machine for compliance issues: rule, place, severity with its reason, and what to change. A finding is a reason to look, not a verdict.",
      inputSchema: { path: z.string().describe("Path of the file, inside the allowed folders"), context },
      annotations: { ...readOnly, openWorldHint: false },
    },
    async ({ path, context }, { signal }) => answer(await drafts.checkFile(path, context ?? {}, signal)),
  );
  server.registerTool(
    "check_text",
    {
      title: "Check a text",
      description:
        "Checks a draft, such as a script, a caption or a post, for compliance issues before it is produced.",
      inputSchema: { text: z.string().min(1).max(1_000_000), context },
      annotations: { ...readOnly, openWorldHint: false },
    },
    async ({ text, context }, { signal }) => answer(await drafts.checkText(text, context ?? {}, signal)),
  );
  server.registerTool(
    "explain_rule",
    {
      title: "Explain a rule",
      description: "Everything about one rule: why it exists, what to do, its source, precedents and examples.",
      inputSchema: { code: z.string().describe("The ruleCode of a finding, like UK-FIN-CRYPTO") },
      annotations: { ...readOnly, openWorldHint: false },
    },
    ({ code }) => answer(explainRule(packs, code)),
  );
  server.registerTool(
    "search_rules",
    {
      title: "Search the rules",
      description: "Finds rules by words, and by the jurisdiction and sector that they apply to.",
      inputSchema: {
        query: z.string().default("").describe("Words; default: all rules of the jurisdiction and sector"),
        jurisdiction: z.string().optional(),
        sector: z.string().optional(),
        limit: z.number().int().min(1).max(100).default(20),
      },
      annotations: { ...readOnly, openWorldHint: false },
    },
    (search) => answer(searchRules(packs, search)),
  );
  server.registerTool(
    "read_submission",
    {
      title: "Read a submission",
      description: "Status and findings of a submission of the Greenlit service.",
      inputSchema: { submissionId: z.string().describe("Its UUID") },
      annotations: { ...readOnly, openWorldHint: true },
    },
    async ({ submissionId }) => answer(await readSubmission(connect(options), submissionId)),
  );

  const closed = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}

function answer(result: Record<string, unknown>) {
  return { content: [{ type: "text" as const, text: JSON.stringify(result) }] };
}
