import { openJudgePool } from "@greenlit/engine/kept/judge-pool.ts";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { findAnalysisParts, type AnalysisParts } from "./analysis-parts.ts";
import type { App } from "./app.ts";
import { openAuditChain } from "./audit/chain-audit.ts";
import { ConfigError, type Config } from "./config.ts";
import { openDatabase } from "./db/database.ts";
import { openListener } from "./db/listen.ts";
import { migrate } from "./db/migrate.ts";
import { createConsole } from "./http/console/build-console.ts";
import { deliverWebhooks } from "./jobs/deliver-webhooks.ts";
import { renderAssets } from "./jobs/render-assets.ts";
import { runJobs } from "./jobs/run-jobs.ts";
import { giveBackMemory } from "./give-back-memory.ts";
import { createOpenUploads } from "./open-uploads.ts";
import { limitConnections, shareOpenFiles, warnOfOpenFiles } from "./open-files.ts";
import { openLog } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { issueSetupToken } from "./people/first-admin.ts";
import { linkUrl } from "./people/links.ts";
import { createOidc } from "./people/oidc.ts";
import { createSessions } from "./people/sessions.ts";
import { type Ground, openGround, type Role } from "./open-ground.ts";
import { createKnownBacklogs } from "./queue/known-backlogs.ts";
import { openQueue } from "./queue/queue.ts";
import { openStore } from "./open-store.ts";
import { storeKinds } from "./storage/store.ts";
import { createRealtime } from "./realtime/realtime.ts";
import { checkReadiness } from "./readiness.ts";
import { createSecondReader } from "./second-reader/create-second-reader.ts";
import { checkSecretKey, deriveKey, loadSecretKey, openVault } from "./secret-key.ts";
import { createApiKeys } from "./workspaces/api-key.ts";
import { createFirstWorkspace, type FirstWorkspace } from "./workspaces/first-workspace.ts";
import { explainListenError } from "./listen-error.ts";
import { createDefaultsReader } from "./workspaces/defaults.ts";
import { loadPlans } from "./workspaces/plans.ts";
import type { createTelemetry } from "./telemetry/telemetry.ts";
import { loadRules } from "./load-rules.ts";
import { createSubmissionReads } from "./submissions/reading/read-submission.ts";
import { createRateLimiter } from "./workspaces/rate-limit.ts";

export type Service = {
  app: App;
  apiUrl: string | undefined;
  storeUrl: string | undefined;
  metricsUrl: string | undefined;
  dataFolder: string;
  /** Why the data is not where the configuration wanted it, or undefined. */
  dataFolderMoved: string | undefined;
  logTarget: string;
  /** What this process analyses with; undefined where it does not. */
  analysisParts: AnalysisParts | undefined;
  /** Only on the very first start: the keys are shown once. */
  firstWorkspace: FirstWorkspace | undefined;
  /** Makes the first admin; undefined once there is one. */
  setupUrl: string | undefined;
  /** What works, but not for long or not under load. */
  warnings: string[];
  /** Resolves with a reason when the service cannot go on. */
  broken: Promise<string>;
} & AsyncDisposable;

/** Brings the service up, part by part; each part is closed in reverse order at the end, or at once when a later one fails. */
export async function startService(options: {
  config: Config;
  role: Role;
  /** When it was opened before this module was loaded. */
  ground?: Ground;
  /** Tests set the clocks. */
  now?: () => Date;
  rateClock?: () => Date;
  /** How long a request waits for the database before its 503. */
  databaseWaitMs?: number;
  /** Called when a stage of the start is over: a start on a busy machine takes a while. */
  onStage?: (stage: { name: string; seconds: number }) => void;
}): Promise<Service> {
  const { config, role } = options;
  const now = options.now ?? (() => new Date());
  if (role !== "all") checkSeveralHosts(config, role);
  const stage = stageClock(options.onStage);
  // Meanwhile the rest comes up; a refusal is thrown where it is awaited.
  const finding = role === "api" ? undefined : findAnalysisParts(config);
  finding?.catch(() => undefined);

  await using stack = new AsyncDisposableStack();
  const ground = stack.use(options.ground ?? (await openGround({ config, role })));
  const { folder } = ground;
  stage("data folder");
  const plans = loadPlans(config.plansFile);
  const oidc = createOidc(config);
  const secondReader = await createSecondReader(config);
  const secretKey = loadSecretKey({ configured: config.secretKey, dataFolder: folder.path });
  const cacheFolder = config.cacheDir ?? join(folder.path, "cache");
  // PostgreSQL starts meanwhile, in a process of its own.
  const loading = loadRules(config, {
    keptIn: { file: join(cacheFolder, "rules"), sealKey: deriveKey(secretKey, "kept packs") },
  });
  loading.catch(() => undefined);

  const logTarget = config.log || (role === "all" ? join(folder.path, "logs", "greenlit.log") : "stdout");
  const { log } = stack.use(openLog({ target: logTarget, level: config.logLevel }));
  const postgres = await ground.postgres;
  const url = postgres?.url ?? config.databaseUrl ?? "";
  const { sidekicks, markets } = await loading;
  stage(postgres ? "PostgreSQL and rule packs" : "rule packs");
  await migrate(url);
  stage("migrations");
  const { db, pool } = stack.use(
    openDatabase({
      url,
      poolSize: config.databasePoolSize,
      // A client is better off with a 503 that it can retry than with a long wait.
      connectionWaitMs: options.databaseWaitMs ?? 1500,
      onError: (error) => log.warn({ err: error }, "database connection lost"),
    }),
  );
  await checkSecretKey(db, secretKey);
  const listener = stack.use(await openListener({ url, onError: (error) => log.warn({ err: error }, "listener") }));
  const queue = stack.use(await openQueue({ url, listener, onError: (error) => log.warn({ err: error }, "queue") }));

  stage("queue");
  const files = shareOpenFiles(config);
  const uploadRoom = { open: 0, max: files.uploads };
  const signingKey = deriveKey(secretKey, "store");
  const store = stack.use(
    await openStore({
      config,
      role,
      dataFolder: folder.path,
      signingKey,
      now,
      log,
      uploadRoom,
      maxConnections: files.connections,
    }),
  );

  stage("store");
  const realtime = stack.use(
    createRealtime({ pool, listener, log, now, secretKey, streamsPerKey: config.streamsPerKey }),
  );

  const isMeasured = config.metricsPort !== undefined || config.otlpEndpoint !== undefined;
  const metrics = isMeasured ? createMetrics({ pool }) : undefined;
  const telemetry = metrics && config.otlpEndpoint ? await openTelemetry({ config, metrics, log, role }) : undefined;
  if (telemetry) stack.use(telemetry);
  let apiUrl = "";
  const app: App = {
    config,
    log,
    db,
    pool,
    queue,
    store: store.store,
    auditChain: stack.use(openAuditChain({ db, log })),
    knownBacklogs: createKnownBacklogs(),
    scratchFolder: join(folder.path, "scratch"),
    analysisCache: { folder: join(cacheFolder, "analysis"), sealKey: deriveKey(secretKey, "analysis cache") },
    console: createConsole({ cacheFolder, log }),
    listener,
    realtime,
    vault: openVault(secretKey),
    now,
    plans,
    sidekicks,
    markets,
    judges: stack.use(openJudgePool({ sidekicks, size: Math.max(1, availableParallelism()) })),
    workspaceDefaults: createDefaultsReader({ db }),
    metrics,
    telemetry,
    rateClock: options.rateClock ?? null,
    apiKeys: createApiKeys({ db, now }),
    sessions: createSessions({ db, now }),
    uploadPace: { minBytesPerSecond: config.uploadMinRate, windowSeconds: 30 },
    openUploads: createOpenUploads({
      perOwner: config.uploadsPerKey,
      room: uploadRoom,
      onQuiet: () => void setTimeout(giveBackMemory, 1000).unref(),
    }),
    oidc,
    secondReader,
    submissionReads: createSubmissionReads(pool),
    rateLimiter: createRateLimiter({ pool, now: options.rateClock ?? null }),
    publicUrl: () => apiUrl,
    checkReadiness: () =>
      checkReadiness({
        database: () => pool.query("select 1"),
        queue: () => queue.check(),
        store: () => store.store.check(),
      }),
  };

  // A worker that must not start like this is refused before the first answer; else that can wait.
  if (config.databaseUrl !== undefined) await finding;
  let closeServer: (() => Promise<void>) | undefined;
  if (role !== "worker") {
    // Loaded only here: a worker starts without it in less time.
    const { createServer } = await import("./http/server.ts");
    const server = createServer(app);
    limitConnections(server.server, { max: files.connections, log });
    let closing: Promise<void> | undefined;
    closeServer = () => (closing ??= server.close());
    stack.defer(closeServer);
    await listen(server.server, {
      host: config.host,
      port: config.port,
      variable: "GREENLIT_PORT",
      start: server.listen.bind(server),
    });
    apiUrl = config.publicUrl ?? addressOf(server.server, config.host);
    stage("API");
  }
  const analysisParts = await finding;
  if (role !== "api") stack.use(await runJobs(app));
  if (role !== "api") stack.use(deliverWebhooks(app));
  if (role !== "api" && config.renditions) stack.use(await renderAssets(app));
  if (role !== "api") stage("workers");
  // Before the workers: what stops takes no more requests.
  if (closeServer) stack.defer(closeServer);
  let metricsUrl: string | undefined;
  if (metrics && config.metricsPort !== undefined) {
    const server = metrics.createServer();
    stack.defer(() => void server.close());
    await listen(server, { host: config.host, port: config.metricsPort, variable: "GREENLIT_METRICS_PORT" });
    metricsUrl = `${addressOf(server, config.host)}/metrics`;
  }
  // After listening: when a port is in use, the keys that are shown only once would be lost.
  const firstWorkspace = role === "all" ? await createFirstWorkspace({ db, plans }) : undefined;
  const setupToken = role === "worker" ? undefined : await issueSetupToken(app, { secretKey });
  log.info({ role, apiUrl, ...analysisParts }, "started");
  const warning = warnOfOpenFiles(config);
  if (warning) log.warn(warning);

  const parts = stack.move();
  return {
    app,
    apiUrl: apiUrl || undefined,
    storeUrl: store.url,
    metricsUrl,
    dataFolder: folder.path,
    dataFolderMoved: folder.moved?.reason,
    logTarget,
    analysisParts,
    firstWorkspace,
    setupUrl: setupToken && linkUrl(apiUrl, "setup", setupToken),
    warnings: warning ? [warning] : [],
    broken: postgres?.exited ?? new Promise(() => {}),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Loaded only where there is a collector. */
async function openTelemetry(options: Parameters<typeof createTelemetry>[0]) {
  const { createTelemetry } = await import("./telemetry/telemetry.ts");
  return createTelemetry(options);
}

function stageClock(onStage: ((stage: { name: string; seconds: number }) => void) | undefined) {
  let before = performance.now();
  return (name: string) => {
    const now = performance.now();
    onStage?.({ name, seconds: (now - before) / 1000 });
    before = now;
  };
}

function checkSeveralHosts(config: Config, role: Role): void {
  const missing = [
    ...(config.databaseUrl ? [] : ["DATABASE_URL, the PostgreSQL they share"]),
    ...(config.store !== "folder" || config.storeShared
      ? []
      : [
          `a store they share: GREENLIT_STORE=${storeKinds.filter((kind) => kind !== "folder").join(" or ")}, or GREENLIT_STORE_SHARED=true when the data folder is one file system on every host`,
        ]),
    ...(config.secretKey ? [] : ["GREENLIT_SECRET_KEY, the same on every host (make one with `openssl rand -hex 32`)"]),
  ];
  if (missing.length > 0)
    throw new ConfigError(`--role ${role} runs beside other processes and needs ${missing.join("; and ")}.`);
}

async function listen(
  server: Server,
  options: {
    host: string;
    port: number;
    variable: string;
    start?: (address: { host: string; port: number }) => Promise<string>;
  },
): Promise<void> {
  const { host, port, variable, start } = options;
  try {
    if (start) await start({ host, port });
    else
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen({ host, port }, resolve);
      });
  } catch (error) {
    throw explainListenError(error, { host, port, variable });
  }
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
