import type { OpenUploads } from "./open-uploads.ts";
import type { Pace } from "./upload-pace.ts";
import type { Kysely } from "kysely";
import type pg from "pg";
import type { Logger } from "pino";
import type { AuditChain } from "./audit/chain-audit.ts";
import type { JudgePool } from "@greenlit/engine/kept/judge-pool.ts";
import type { Market } from "@greenlit/engine/markets/markets.ts";
import type { Sidekick } from "@greenlit/engine/sidekick.ts";
import type { Config } from "./config.ts";
import type { ConsoleBuild } from "./http/console/build-console.ts";
import type { Listener } from "./db/listen.ts";
import type { Tables } from "./db/tables.ts";
import type { Metrics } from "./metrics.ts";
import type { Oidc } from "./people/oidc.ts";
import type { Sessions } from "./people/sessions.ts";
import type { KnownBacklogs } from "./queue/known-backlogs.ts";
import type { Queue } from "./queue/queue.ts";
import type { Realtime } from "./realtime/realtime.ts";
import type { Vault } from "./secret-key.ts";
import type { SecondReader } from "./second-reader/create-second-reader.ts";
import type { Store } from "./storage/store.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import type { SubmissionReads } from "./submissions/reading/read-submission.ts";
import type { ApiKeys } from "./workspaces/api-key.ts";
import type { DefaultsReader } from "./workspaces/defaults.ts";
import type { Plans } from "./workspaces/plans.ts";
import type { RateLimiter } from "./workspaces/rate-limit.ts";

/** What every verb may use. Made once, in main.ts, from the configuration. */
export type App = {
  config: Config;
  /** How callers reach the API; known once it listens. */
  publicUrl: () => string;
  /** What /readyz asks of each part: "ok", or what is wrong in a few words. */
  checkReadiness: () => Promise<Record<string, string>>;
  log: Logger;
  db: Kysely<Tables>;
  pool: pg.Pool;
  store: Store;
  auditChain: AuditChain;
  knownBacklogs: KnownBacklogs;
  /** Where this machine keeps what only a running process needs. */
  scratchFolder: string;
  /** Where this machine keeps what analyses work out about our own code and rules, and what seals it. */
  analysisCache: { folder: string; sealKey: Buffer };
  /** The built console, which the first call may have to build. */
  console: () => Promise<ConsoleBuild>;
  queue: Queue;
  listener: Listener;
  realtime: Realtime;
  /** For what is stored and must be readable again. */
  vault: Vault;
  now: () => Date;
  /** Null: limits are counted by the database's clock, which all processes share. */
  rateClock: (() => Date) | null;
  plans: Plans;
  /** Built-in and the operator's own, in the order they are listed. */
  sidekicks: readonly Sidekick[];
  /** What an asset can be cleared for. */
  markets: readonly Market[];
  /** Judges kept evidence by these sidekicks. */
  judges: JudgePool;
  workspaceDefaults: DefaultsReader;
  apiKeys: ApiKeys;
  sessions: Sessions;
  openUploads: OpenUploads;
  uploadPace: Pace;
  /** Undefined: no single sign-on. */
  oidc: Oidc | undefined;
  rateLimiter: RateLimiter;
  submissionReads: SubmissionReads;
  /** Undefined: no language model is configured. */
  secondReader: SecondReader | undefined;
  /** Undefined: no collector is configured. */
  telemetry: Telemetry | undefined;
  /** Undefined: neither are metrics served, nor is there a collector. */
  metrics: Metrics | undefined;
};
