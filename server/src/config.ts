import { availableParallelism } from "node:os";
import { editDistance } from "@greenlit/engine/edit-distance.ts";
import {
  boolean,
  choice,
  duration,
  integer,
  list,
  networks,
  number,
  optional,
  path,
  port,
  secret,
  secretKey,
  text,
  timeout,
  url,
  type Setting,
} from "./setting-kinds.ts";
import { storeKinds } from "./storage/store.ts";

/** Every variable the service reads: the only reader of the environment, and the source of docs/operating.md. */
const settings = {
  host: text("GREENLIT_HOST", "127.0.0.1", "Address the listeners bind to. `0.0.0.0` serves other machines."),
  port: port("GREENLIT_PORT", 8080, "Port of the API. 0 takes a free one."),
  storePort: port(
    "GREENLIT_STORE_PORT",
    8081,
    "Port of the embedded store, where presigned uploads go. 0 takes a free one.",
  ),
  metricsPort: optional(
    port("GREENLIT_METRICS_PORT", 0, "Port of the Prometheus metrics (`/metrics`), on the same host. Off when unset."),
  ),
  otlpEndpoint: optional(
    url(
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      ["http:", "https:"],
      "An OpenTelemetry collector: traces and metrics go to its `/v1/traces` and `/v1/metrics` as OTLP JSON. Off when unset.",
    ),
  ),
  otlpHeaders: optional(
    secret("OTEL_EXPORTER_OTLP_HEADERS", "Headers for the collector, like `authorization=Bearer%20…,x-team=ads`."),
  ),
  otelServiceName: text("OTEL_SERVICE_NAME", "greenlit", "What traces and metrics call the service."),
  otelSample: number("OTEL_TRACES_SAMPLER_ARG", 1, { min: 0, max: 1 }, "Share of the traces that are sent."),
  otelMetricInterval: integer(
    "OTEL_METRIC_EXPORT_INTERVAL",
    60_000,
    { min: 1000, max: 86_400_000 },
    "How often metrics are sent to the collector, in milliseconds.",
  ),
  publicUrl: optional(
    url("GREENLIT_PUBLIC_URL", ["http:", "https:"], "How callers reach the API, when that is not host and port."),
  ),
  storePublicUrl: optional(
    url(
      "GREENLIT_STORE_PUBLIC_URL",
      ["http:", "https:"],
      "How callers reach the embedded store: presigned URLs begin with it.",
    ),
  ),
  dataDir: path(
    "GREENLIT_DATA_DIR",
    "./data",
    "Folder for the embedded database, the stored media, the log and the secret key.",
  ),
  cacheDir: optional(
    path(
      "GREENLIT_CACHE_DIR",
      "",
      "Folder for what can be made again: the built console, and what analyses work out about code and rules. `cache` in the data folder when unset.",
    ),
  ),
  databaseUrl: optional(
    url("DATABASE_URL", ["postgres:", "postgresql:"], "A PostgreSQL 14 or later to use instead of the embedded one."),
  ),
  databasePoolSize: integer(
    "GREENLIT_DATABASE_POOL_SIZE",
    10,
    { min: 4, max: 500 },
    "Connections a process keeps to the database.",
  ),
  secretKey: optional(
    secretKey(
      "GREENLIT_SECRET_KEY",
      "Key that encrypts secrets at rest and signs upload addresses. Made in the data folder when unset; needed with `--role api|worker`, the same on every host.",
    ),
  ),
  store: choice(
    "GREENLIT_STORE",
    "folder",
    storeKinds,
    "Where media is kept: a folder behind the embedded listener, Azure Blob Storage, or S3.",
  ),
  storeShared: boolean(
    "GREENLIT_STORE_SHARED",
    false,
    "Declares that the data folder is one shared file system on every host; the folder store needs that with `--role api|worker`.",
  ),
  storeCorsOrigins: list(
    "GREENLIT_STORE_CORS_ORIGINS",
    "Origins whose pages may upload to the embedded store. Any by default: the presigned URL is the credential.",
  ),
  unclaimedQuotaGb: integer(
    "GREENLIT_UNCLAIMED_QUOTA_GB",
    50,
    { min: 1, max: 1_000_000 },
    "How many GB of uploads that no submission took one workspace may have in the embedded store.",
  ),
  uploadsPerKey: integer(
    "GREENLIT_UPLOADS_PER_KEY",
    256,
    { min: 1, max: 100_000 },
    "Direct uploads that one key may have open on one process; more get 429. The embedded store takes as many of one workspace; more get 503.",
  ),
  uploadMinRate: integer(
    "GREENLIT_UPLOAD_MIN_RATE",
    1024,
    { min: 0, max: 1_000_000_000 },
    "Bytes a second that an upload must send over 30 s, at the API and at the embedded store; a slower one gets 408. 0: no limit.",
  ),
  azureConnectionString: optional(
    secret(
      "GREENLIT_AZURE_CONNECTION_STRING",
      "Azure: the storage account's connection string; or give account and key.",
    ),
  ),
  azureAccount: optional(text("GREENLIT_AZURE_ACCOUNT", "", "Azure: the storage account's name.")),
  azureKey: optional(secret("GREENLIT_AZURE_KEY", "Azure: the storage account's key.")),
  azureEndpoint: optional(
    url("GREENLIT_AZURE_ENDPOINT", ["http:", "https:"], "Azure: the blob endpoint, when it is not the public one."),
  ),
  azureContainer: text("GREENLIT_AZURE_CONTAINER", "greenlit", "Azure: the container; made when it is missing."),
  s3Bucket: optional(text("GREENLIT_S3_BUCKET", "", "S3: the bucket; it must exist.")),
  s3Region: text("GREENLIT_S3_REGION", "us-east-1", "S3: the region."),
  s3Endpoint: optional(
    url("GREENLIT_S3_ENDPOINT", ["http:", "https:"], "S3: the endpoint of a compatible service, when it is not AWS."),
  ),
  s3PathStyle: boolean("GREENLIT_S3_PATH_STYLE", false, "S3: put the bucket into the path instead of the host name."),
  s3AccessKeyId: optional(
    text("GREENLIT_S3_ACCESS_KEY_ID", "", "S3: the access key; left out, the usual AWS places are searched."),
  ),
  s3SecretAccessKey: optional(secret("GREENLIT_S3_SECRET_ACCESS_KEY", "S3: the secret of the access key.")),
  workerSlots: {
    ...integer(
      "GREENLIT_WORKER_SLOTS",
      availableParallelism(),
      { min: 1, max: 256 },
      "How many assets a worker analyses at once; as many small ones beside them.",
    ),
    fallbackText: "the number of cores",
  },
  analysisTimeout: timeout(
    "GREENLIT_ANALYSIS_TIMEOUT",
    "2h",
    "How long the analysis of one asset, or of one part of a long film, may take.",
  ),
  filmPartLength: duration(
    "GREENLIT_FILM_PART_LENGTH",
    "5m",
    "Films that last more than twice as long are analysed in parts of this length, which workers share; a worker that is killed loses no part that was kept. 0s: never.",
  ),
  analysisMemoryMb: integer(
    "GREENLIT_ANALYSIS_MEMORY_MB",
    1024,
    { min: 64, max: 1_000_000 },
    "Heap of the process that analyses one asset.",
  ),
  whisperModel: optional(
    path(
      "GREENLIT_WHISPER_MODEL",
      "",
      "Whisper weights (ggml) that hear speech instead of the built-in English model; needs `npm install @fugood/whisper.node`.",
    ),
  ),
  speechModel: optional(
    path(
      "GREENLIT_SPEECH_MODEL",
      "",
      "A folder with another Moonshine in ONNX form (encoder_model.onnx, decoder_model_merged.onnx) that hears speech instead of the built-in one.",
    ),
  ),
  llmUrl: optional(
    url(
      "GREENLIT_LLM_URL",
      ["https:", "http:"],
      "Second reader: the address of an API for language models, like `https://llm.example.com/v1`. Off when unset; a workspace must allow it as well (`greenlit workspaces second-reader`).",
    ),
  ),
  llmApi: choice(
    "GREENLIT_LLM_API",
    "openai",
    ["openai", "anthropic"],
    "Second reader: what that address speaks: `/chat/completions` or `/messages`.",
  ),
  llmKey: optional(secret("GREENLIT_LLM_KEY", "Second reader: the key for it.")),
  llmModel: optional(text("GREENLIT_LLM_MODEL", "", "Second reader: the model's name.")),
  llmTimeout: timeout("GREENLIT_LLM_TIMEOUT", "30s", "Second reader: how long an asset waits for its answer."),
  llmMaxTokens: integer(
    "GREENLIT_LLM_MAX_TOKENS",
    2000,
    { min: 100, max: 100_000 },
    "Second reader: how long an answer may be.",
  ),
  llmDailyTokens: integer(
    "GREENLIT_LLM_DAILY_TOKENS",
    500_000,
    { min: 0, max: 1_000_000_000_000 },
    "Second reader: tokens that one workspace may use in a day (UTC), in questions and answers. After that the model is not asked.",
  ),
  renditions: boolean(
    "GREENLIT_RENDITIONS",
    true,
    "Makes what browsers need to show an asset (a playable copy, poster, filmstrip, waveform, page images), after its results and at low priority.",
  ),
  allowNoJail: boolean(
    "GREENLIT_ALLOW_NO_JAIL",
    false,
    "Lets a worker with DATABASE_URL start although neither bubblewrap nor unshare works: decoders of foreign files then reach network and files.",
  ),
  passwords: boolean(
    "GREENLIT_PASSWORDS",
    true,
    "Lets people sign in with a password. `false` leaves single sign-on only.",
  ),
  oidcIssuer: optional(
    url(
      "GREENLIT_OIDC_ISSUER",
      ["https:", "http:"],
      "Single sign-on: the address of the OpenID provider. Off when unset.",
    ),
  ),
  oidcClientId: optional(text("GREENLIT_OIDC_CLIENT_ID", "", "Single sign-on: the client's id at the provider.")),
  oidcClientSecret: optional(secret("GREENLIT_OIDC_CLIENT_SECRET", "Single sign-on: the client's secret.")),
  oidcName: text("GREENLIT_OIDC_NAME", "single sign-on", "Single sign-on: what the sign-in page calls it."),
  trustedProxies: networks(
    "GREENLIT_TRUSTED_PROXIES",
    "Networks of proxies in front of the API, whose `X-Forwarded-For` says where a request comes from. Sign-in is throttled by that address.",
  ),
  plansFile: optional(
    path(
      "GREENLIT_PLANS_FILE",
      "",
      "JSON file whose plans replace or add to the built-in ones (`greenlit plans --help`).",
    ),
  ),
  packsDir: optional(
    path(
      "GREENLIT_PACKS_DIR",
      "",
      "Folder with rule packs of your own, beside the built-in ones (docs/rules.md); checked at start.",
    ),
  ),
  defaultSidekicks: list(
    "GREENLIT_DEFAULT_SIDEKICKS",
    "Ids of the sidekicks that run when a submission names none. All built-in ones when empty; a workspace can have its own.",
  ),
  corsOrigins: list(
    "GREENLIT_CORS_ORIGINS",
    "Origins whose pages may call the API from a browser, or `*`. Off when empty.",
  ),
  webhookAllow: networks(
    "GREENLIT_WEBHOOK_ALLOW",
    "Networks that webhooks may be sent to although they are not public, like `127.0.0.0/8, fd00::/8`. Anyone who may subscribe can reach them. Metadata services of clouds stay out of reach.",
  ),
  webhookHttp: boolean("GREENLIT_WEBHOOK_HTTP", false, "Lets webhooks be sent by http, not only by https."),
  streamsPerKey: integer(
    "GREENLIT_STREAMS_PER_KEY",
    2000,
    { min: 1, max: 100_000 },
    "Realtime streams that one key may have open on one process; more get 429.",
  ),
  log: text(
    "GREENLIT_LOG",
    "",
    "Where the log goes: `stdout`, `off`, or a file. Default: a file in the data folder; `stdout` with `--role api|worker`.",
  ),
  logLevel: choice("GREENLIT_LOG_LEVEL", "info", ["debug", "info", "warn", "error"], "The least level that is logged."),
  logSample: number(
    "GREENLIT_LOG_SAMPLE",
    1,
    { min: 0, max: 1 },
    "Share of successful requests that get a log line; failures always do.",
  ),
  retentionMedia: optional(
    duration(
      "GREENLIT_RETENTION_MEDIA",
      "",
      "How long uploaded files are kept after their submissions ended. For ever when unset.",
    ),
  ),
  retentionResults: optional(
    duration(
      "GREENLIT_RETENTION_RESULTS",
      "",
      "How long a submission is kept after it ended: then it is deleted with its results and files. For ever when unset.",
    ),
  ),
  retentionEvents: optional(
    duration(
      "GREENLIT_RETENTION_EVENTS",
      "",
      "How long webhook events, their deliveries and the messages of ended realtime channels are kept. For ever when unset.",
    ),
  ),
  drainTimeout: timeout(
    "GREENLIT_DRAIN_TIMEOUT",
    "30s",
    "How long running requests may take to finish when the service stops.",
  ),
} satisfies Record<string, Setting<unknown>>;

export type Config = { [Name in keyof typeof settings]: (typeof settings)[Name] extends Setting<infer T> ? T : never };

export class ConfigError extends Error {
  override name = "ConfigError";
}

/** Reads and checks the whole configuration. All mistakes are named at once, so that one start finds them all. */
export function readConfig(environment: Record<string, string | undefined>): { config: Config; warnings: string[] } {
  const mistakes: string[] = [];
  const entries = Object.entries(settings).map(([name, setting]: [string, Setting<unknown>]) => {
    const value = environment[setting.variable]?.trim();
    const parsed = value === undefined || value === "" ? setting.fallback : setting.parse(value);
    if (parsed === undefined && value !== undefined && value !== "")
      mistakes.push(`${setting.variable} is "${setting.isSecret ? "…" : value}", but must be ${setting.form}.`);
    return [name, parsed];
  });
  if (mistakes.length > 0) throw new ConfigError(mistakes.join("\n"));
  return { config: Object.fromEntries(entries) as Config, warnings: unknownVariables(environment) };
}

/** The rows of the table in docs/operating.md. */
export function describeSettings(): { variable: string; fallback: string; form: string; about: string }[] {
  return Object.values<Setting<unknown>>(settings).map(({ variable, fallbackText, form, about }) => ({
    variable,
    fallback: fallbackText,
    form,
    about,
  }));
}

function unknownVariables(environment: Record<string, string | undefined>): string[] {
  const known = Object.values<Setting<unknown>>(settings).map((setting) => setting.variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith("GREENLIT_") && !isReadElsewhere(name) && !known.includes(name))
    .map((name) => {
      const nearest = known.toSorted((a, b) => editDistance(a, name) - editDistance(b, name))[0];
      return `${name} is not a known variable and is ignored. Did you mean ${nearest}?`;
    });
}

/** By the tests, and by `greenlit webhooks listen`. */
function isReadElsewhere(name: string): boolean {
  return name.startsWith("GREENLIT_TEST_") || name === "GREENLIT_API_KEY";
}
