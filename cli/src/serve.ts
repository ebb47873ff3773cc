import { flushCompileCache } from "node:module";
import { relative } from "node:path";
import { Option, type Command } from "commander";
import { readConfig } from "@greenlit/server/config.ts";
import type { Service } from "@greenlit/server/main.ts";
import { openGround, type Role } from "@greenlit/server/open-ground.ts";
import { keepService } from "./kept-service.ts";
import { addCommand } from "./operator.ts";

/** `isKept`: this program is what an earlier start kept, so there is nothing to keep. */
export function addServeCommand(program: Command, { isKept = false } = {}): void {
  addCommand(program, {
    name: "serve",
    description: "run the service until Ctrl-C or SIGTERM",
    example: "greenlit serve",
  })
    .addOption(
      new Option("--role <role>", "what this process does")
        .choices(["all", "api", "worker"] satisfies Role[])
        .default("all"),
    )
    .addHelpText(
      "after",
      `
Roles: \`all\` is everything in one process; on several hosts run any number of \`api\` and \`worker\`
with one DATABASE_URL, one GREENLIT_SECRET_KEY and one store. Settings: docs/operating.md.`,
    )
    .action(async (options: { role: Role; json?: boolean }) => serve({ ...options, isKept }));
}

async function serve({ role, json, isKept }: { role: Role; json?: boolean; isKept: boolean }): Promise<void> {
  const stop = untilSignal();
  const { config, warnings } = readConfig(process.env);
  for (const warning of warnings) console.error(`warning: ${warning}`);

  const startedAt = performance.now();
  const onStage = ({ name, seconds }: { name: string; seconds: number }) => {
    if (!json) console.log(`  ${name.padEnd(26)}${seconds.toFixed(1).padStart(5)} s`);
  };
  await using stack = new AsyncDisposableStack();
  const ground = stack.use(await openGround({ config, role }));
  // Loaded only here: the other commands answer in half the time without the whole server.
  const { startService } = await import("@greenlit/server/main.ts");
  const { giveBackMemory } = await import("@greenlit/server/give-back-memory.ts");
  onStage({ name: "program", seconds: (performance.now() - startedAt) / 1000 });
  await using service = await startService({ config, role, ground, onStage });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(json ? describeJson(service) : describe({ service, role, seconds }).join("\n"));
  for (const warning of service.warnings) console.error(`warning: ${warning}`);
  // Else it is written at the end, which one that is killed does not have: it would start slowly for ever.
  flushCompileCache();
  void build({ service, role, isKept });
  giveBackMemory();

  const reason = await Promise.race([stop, service.broken.then((why) => ({ why }))]);
  if (reason) {
    process.exitCode = 1;
    console.error(reason.why);
  } else if (!json) console.log("\nStopping: running requests finish first.");
  // A drain that hangs must not outlive the operator's patience; unref, so a quick one is not held up.
  setTimeout(() => {
    console.error("Some requests did not finish in time (GREENLIT_DRAIN_TIMEOUT). Stopped without them.");
    process.exit(1);
  }, config.drainTimeout).unref();
}

/** One after the other: whoever is done ends the program that builds, for both. */
async function build(options: { service: Service; role: Role; isKept: boolean }): Promise<void> {
  const { service, role, isKept } = options;
  const { app } = service;
  // Before the first visitor comes; one who is faster waits for the same build.
  if (role !== "worker")
    await app.console().catch((error: unknown) => app.log.error({ err: error }, "the console was not built"));
  if (!isKept)
    await keepService().catch((error: unknown) => app.log.debug({ err: error }, "the next start will take as long"));
}

function untilSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve(undefined));
  });
}

function describe(options: { service: Service; role: Role; seconds: string }): string[] {
  const { service, role, seconds } = options;
  const { analysisParts: parts } = service;
  const rows: [string, string | undefined][] = [
    ["API", service.apiUrl && `${service.apiUrl}/api/integrations`],
    ["Store", service.storeUrl],
    ["API docs", service.apiUrl && `${service.apiUrl}/docs`],
    ["Console", service.setupUrl ?? (service.apiUrl && `${service.apiUrl}/console`)],
    ["Metrics", service.metricsUrl],
    ["Data", role === "all" ? service.dataFolder : undefined],
    ["Log", service.logTarget.startsWith("/") ? relative(process.cwd(), service.logTarget) : service.logTarget],
    ["Decoder", parts?.decoder],
    ["Jail", parts?.jail],
    ["Models", parts?.models],
  ];
  return [
    "",
    `  Greenlit is up (${role === "all" ? "" : `role ${role}, `}${seconds} s)`,
    "",
    ...rows.filter(([, value]) => value !== undefined).map(([name, value]) => `  ${name.padEnd(12)}${value}`),
    ...(service.dataFolderMoved
      ? ["", `  The data is at ${service.dataFolder} because ${service.dataFolderMoved}.`]
      : []),
    ...(service.firstWorkspace ? firstSteps(service) : []),
    "",
    "  Ctrl-C stops it.",
  ];
}

function firstSteps({ firstWorkspace, apiUrl }: Service): string[] {
  return [
    "",
    `  Made workspace "${firstWorkspace?.name}" (${firstWorkspace?.workspaceId}), plan ${firstWorkspace?.plan}. Its keys are shown only now:`,
    "",
    `    live     ${firstWorkspace?.liveKey}`,
    `    sandbox  ${firstWorkspace?.sandboxKey}`,
    "",
    `  Try it:  curl -H 'X-API-Key: ${firstWorkspace?.sandboxKey.slice(0, 12)}…' ${apiUrl}/api/integrations/limits`,
  ];
}

function describeJson(service: Service): string {
  const { apiUrl, storeUrl, metricsUrl, dataFolder, logTarget, analysisParts, firstWorkspace, setupUrl } = service;
  return JSON.stringify({
    apiUrl,
    storeUrl,
    docsUrl: apiUrl && `${apiUrl}/docs`,
    consoleUrl: apiUrl && `${apiUrl}/console`,
    metricsUrl,
    dataFolder,
    log: logTarget,
    analysis: analysisParts ?? null,
    firstWorkspace,
    setupUrl,
  });
}
