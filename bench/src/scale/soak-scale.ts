import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "undici";
import { type Part, startPart } from "../part.ts";
import { atMost, type Bench, median, rounded, say } from "../report.ts";
import { assertFreeDisk, connect, createDatabase, openScratchFolder, startScratchPostgres } from "../scratch.ts";
import { baseMs, copyId, fillScale, waitsEach } from "./fill-scale.ts";
import type { ScalePart } from "./scale-part.ts";

const few = 10_000;
const bytesEach = 16 * 1024;
const rounds = 60;
const removedEach = 40;

/** What is read of the n-th copy, and every list. */
const reads: Record<string, (n: number) => string> = {
  status: (n) => `/submissions/${copyId("submission", n)}`,
  list: () => "/submissions",
  "list of what waits": () => "/submissions?status=submitted",
  asset: (n) => assetPath(n),
  issues: (n) => `${assetPath(n)}/issues`,
  issue: (n) => `${assetPath(n)}/issues/${copyId("issue", n)}`,
  topics: (n) => `${assetPath(n)}/topics`,
  measurements: (n) => `${assetPath(n)}/measurements`,
  transcript: (n) => `${assetPath(n)}/transcript`,
  versions: (n) => `/submissions/${copyId("submission", n)}/versions`,
  renditions: (n) => `${assetPath(n)}/renditions`,
  evidence: (n) => `${assetPath(n)}/evidence`,
  review: (n) => `${assetPath(n)}/review`,
  comments: (n) => `${assetPath(n)}/comments`,
  "review queue": () => "/reviews",
  "open reviews": () => "/reviews?state=awaiting_review",
  certificates: () => "/certificates",
  audit: () => "/audit",
  "audit of one": (n) => `/audit?targetId=${copyId("submission", n)}`,
  webhooks: () => "/webhooks",
  limits: () => "/limits",
  markets: () => "/markets",
  sidekicks: () => "/sidekicks",
  "second readings": (n) => `${assetPath(n)}/second-readings`,
  usage: () => "/usage",
};

function assetPath(n: number): string {
  return `/submissions/${copyId("submission", n)}/assets/${copyId("asset", n)}`;
}

type Call = (method: string, path: string, body?: unknown) => Promise<number>;

/** A service on a database of its own with so many submissions. */
type Place = { count: number; call: Call; service: Part<ScalePart>; databaseUrl: string; workspaceId: string };

type Start = (options: { role: "all" | "api"; name: string; databaseUrl: string }) => Promise<Part<ScalePart>>;

export const soakScale: Bench = {
  about:
    "Reads, creation, the queue, housekeeping and retention at ten million submissions (--submissions N) against ten thousand.",
  run: (stack) => compareSizes(stack, { defaultCount: 10_000_000 }),
};

export const benchScale: Bench = {
  about: "The same as `soak scale` at a hundred thousand (--submissions N), in minutes.",
  run: (stack) => compareSizes(stack, { defaultCount: 100_000 }),
};

async function compareSizes(stack: AsyncDisposableStack, { defaultCount }: { defaultCount: number }) {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { submissions: { type: "string", default: String(defaultCount) } },
  });
  const many = Number(values.submissions);
  const folder = await openScratchFolder(stack);
  if (!Number.isInteger(many) || many <= few) throw new Error(`--submissions takes a number above ${few}.`);
  await assertFreeDisk(folder, many * bytesEach);
  const serverUrl = await startScratchPostgres(stack, folder);
  const start: Start = async ({ role, name, databaseUrl }) => {
    await mkdir(join(folder, name), { recursive: true });
    const retention = { GREENLIT_RETENTION_MEDIA: "365d", GREENLIT_RETENTION_RESULTS: "365d" };
    const env = { ...retention, GREENLIT_RETENTION_EVENTS: "365d" };
    return startPart<ScalePart>(new URL("./scale-part.ts", import.meta.url), {
      folder: join(folder, name),
      databaseUrl,
      role,
      env,
    });
  };
  const fewUrl = await createDatabase(serverUrl, "scale_few");
  say("analysing the submission that is copied");
  const made = await makeTemplate(start, fewUrl);
  await fillScale(fewUrl, { template: made.template, from: 1, to: few });
  const manyUrl = await createDatabase(serverUrl, "scale_many", "scale_few");
  await fillScale(manyUrl, { template: made.template, from: few + 1, to: many });

  // No worker beside them, which would take the jobs.
  const open = async (name: string, databaseUrl: string, count: number): Promise<Place> => {
    const service = stack.use(await start({ role: "api", name, databaseUrl }));
    const client = new Client(service.ready.apiUrl);
    stack.defer(() => client.close());
    const call = callWith(client, made);
    return { count, call, service, databaseUrl, workspaceId: made.template.workspaceId };
  };
  const places = { few: await open("few", fewUrl, few), many: await open("many", manyUrl, many) };
  say("measuring reads");
  const readTimes = await measure(places, readsOf);
  const oldReadTimes = await measure(places, oldReadsOf);
  say("measuring writes");
  const writeTimes = await measure(places, writesOf);
  return {
    bars: [
      ...Object.entries(readTimes).map(([name, { ratio }]) => atMost(`read: ${name}`, ratio, 1.2)),
      ...Object.entries(writeTimes).map(([name, { ratio }]) => atMost(`write: ${name}`, ratio, 1.5)),
    ],
    figures: {
      few,
      many,
      issues: 3 * many,
      waiting: many / waitsEach,
      milliseconds: { ...readTimes, ...oldReadTimes, ...writeTimes },
    },
  };
}

async function makeTemplate(start: Start, databaseUrl: string) {
  await using part = await start({ role: "all", name: "template", databaseUrl });
  const template = await part.ask("makeTemplate");
  return { template, key: part.ready.key, cookie: await part.ask("signIn", template) };
}

type Actions = Record<string, { rounds: number; run: (round: number) => Promise<number> }>;

/** Each action in turns here and there, so that whatever else the machine does slows both. */
async function measure(places: { few: Place; many: Place }, actionsOf: (place: Place) => Promise<Actions>) {
  const [small, large] = [await actionsOf(places.few), await actionsOf(places.many)];
  const result: Record<string, { few: number; many: number; ratio: number }> = {};
  for (const [name, { rounds: count, run }] of Object.entries(small)) {
    const [there, here]: [number[], number[]] = [[], []];
    for (let round = 0; round < count; round++) {
      here.push(await run(round));
      there.push((await large[name]?.run(round)) ?? Number.NaN);
    }
    // The first rounds warm up.
    const skipped = Math.ceil(count / 10);
    const [fewMs, manyMs] = [median(here.slice(skipped)), median(there.slice(skipped))];
    result[name] = { few: rounded(fewMs), many: rounded(manyMs), ratio: rounded(manyMs / fewMs) };
  }
  return result;
}

async function readsOf({ call, count }: Place): Promise<Actions> {
  return Object.fromEntries(
    Object.entries(reads).map(([name, pathOf]) => [
      name,
      { rounds, run: () => call("GET", pathOf(recentAnalysed(count))) },
    ]),
  );
}

async function oldReadsOf({ call, count }: Place): Promise<Actions> {
  const old = (name: string) => ({ rounds, run: () => call("GET", reads[name]?.(anyAnalysed(count)) ?? "") });
  return { "status of any age": old("status"), "issues of any age": old("issues") };
}

async function writesOf(place: Place): Promise<Actions> {
  const { call, service, workspaceId, count } = place;
  const paths = await service.ask("storeNotes", { workspaceId, count: rounds });
  const decide = (n: number) =>
    call("PATCH", `${assetPath(n)}/issues/${copyId("issue", n)}`, { status: "ACKNOWLEDGED" });
  return {
    "create a submission": {
      rounds,
      run: (round) => call("POST", "/submissions", { assets: [{ blobPath: paths[round] }] }),
    },
    "decide an issue": { rounds, run: () => decide(recentAnalysed(count)) },
    "take a job": { rounds, run: () => service.ask("takeJob") },
    "delete a submission": {
      rounds,
      run: (round) => {
        const n = analysed(count - few / 2 - waitsEach * (round + 1) - 1);
        return call("DELETE", `/submissions/${copyId("submission", n)}`);
      },
    },
    housekeeping: { rounds: 10, run: () => service.ask("keepHouse") },
    [`retention of ${removedEach}`]: { rounds: 5, run: () => retain(place) },
  };
}

/** One of the newest, as people and their systems ask for them, and of the same number of them wherever that is. */
function recentAnalysed(count: number): number {
  return analysed(count - 1 - Math.floor((Math.random() * few) / 2));
}

/** One of all, the oldest of which are removed meanwhile: where the tables are larger than the memory, it is on the disk. */
function anyAnalysed(count: number): number {
  return analysed(Math.floor(count / 4 + Math.random() * ((count * 3) / 4 - 2)));
}

function analysed(n: number): number {
  return n % waitsEach === 0 ? n + 1 : n;
}

/** Some reads are for people alone. */
function callWith(client: Client, { key, cookie }: { key: string; cookie: string }): Call {
  const asPerson = { cookie, "sec-fetch-site": "same-origin" };
  return async (method, path, body) => {
    const startedAt = performance.now();
    const answer = await client.request({
      method,
      path: `/api/integrations${path}`,
      headers: {
        ...(path === "/usage" ? asPerson : { "x-api-key": key }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
    return performance.now() - startedAt;
  };
}

/** Lets some grow old, the oldest of all, and has them removed. */
async function retain({ service, databaseUrl }: Place): Promise<number> {
  await using client = await connect(databaseUrl);
  const old = new Date(baseMs - 1);
  const { rows } = await client.query<{ submission_id: string }>(
    `update submissions set completed_at = $1 where submission_id in (
        select submission_id from submissions where completed_at is not null order by submission_id limit $2
      ) returning submission_id`,
    [old, removedEach],
  );
  const last =
    rows
      .map(({ submission_id }) => submission_id)
      .toSorted()
      .at(-1) ?? "";
  const endedBefore = new Date(Number.parseInt(last.replaceAll("-", "").slice(0, 12), 16) + 1);
  const { milliseconds, removed } = await service.ask("removeOld", { endedBefore });
  if (removed !== removedEach) throw new Error(`${removed} submissions were removed instead of ${removedEach}`);
  return milliseconds;
}
