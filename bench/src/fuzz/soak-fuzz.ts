import { readFile } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { allAtOnce } from "../at-once.ts";
import { openEnough } from "../enough.ts";
import { startPart } from "../part.ts";
import { atMost, say, type Bench } from "../report.ts";
import { openScratchFolder, startScratchPostgres } from "../scratch.ts";
import type { FuzzedPart } from "./fuzzed-part.ts";
import { makeRequest, type FuzzRequest, type Targets } from "./make-request.ts";
import { createRandom } from "./random.ts";

const connections = 16;
const requestsPerTargets = 1000;
const patienceSeconds = 60;
/** Where others take nearly all of the machine, an answer may be late; one that never comes is a loss there too. */
const crowdedPatienceSeconds = 300;
const crowdedLoad = 4;
const maxShown = 20;

type LogLine = { level: number; err?: { stack?: string }; errorCode?: string };
type Outcome = { status: number; isLate: boolean } | { problem: string };

export const soakFuzz: Bench = {
  about:
    "Mutated requests over every route, key and cookie: no 5xx but 503, no hang, no error in the log (--minutes N).",
  async run(stack) {
    const { values } = parseArgs({
      args: process.argv.slice(3),
      options: {
        seed: { type: "string" },
        requests: { type: "string" },
        first: { type: "string" },
        minutes: { type: "string" },
      },
    });
    const seed = Number(values.seed ?? 1);
    const first = Number(values.first ?? 0);
    const requests = Number(values.requests ?? 100_000);
    const folder = await openScratchFolder(stack);
    const databaseUrl = await startScratchPostgres(stack, folder);
    const service = stack.use(
      await startPart<FuzzedPart>(new URL("./fuzzed-part.ts", import.meta.url), {
        folder,
        databaseUrl,
        role: "all",
        env: { GREENLIT_RENDITIONS: "false", GREENLIT_LOG_SAMPLE: "0" },
      }),
    );
    const pool = new Pool(service.ready.apiUrl, { connections, headersTimeout: 0, bodyTimeout: 0 });
    stack.defer(() => pool.destroy());

    const enough = openEnough(values.minutes);
    let sent = 0;
    let late = 0;
    const statuses: Record<number, number> = {};
    const losses: string[] = [];
    for (let from = first; from < first + requests && !enough.aborted; from += requestsPerTargets) {
      const targets = await service.ask("giveTargets");
      const indexes = Array.from({ length: Math.min(requestsPerTargets, first + requests - from) }, (_, i) => from + i);
      const sendOne = async (index: number) => {
        const request = requestOf({ seed, index, targets });
        const outcome = await send(pool, request);
        sent += 1;
        if ("status" in outcome) statuses[outcome.status] = (statuses[outcome.status] ?? 0) + 1;
        if ("status" in outcome && outcome.isLate) late += 1;
        const problem =
          "problem" in outcome ? outcome.problem : isLoss(outcome.status) ? `${outcome.status}` : undefined;
        if (problem === undefined) return;
        losses.push(`request ${index} (${request.operationId}): ${problem}`);
        if (losses.length <= maxShown) say(`${losses.at(-1)} ${JSON.stringify(request).slice(0, 1500)}`);
      };
      await allAtOnce(indexes, connections, sendOne, enough);
      if (sent % 5000 === 0) say(`${sent} requests`);
    }
    const stacks = await errorsIn(join(folder, "greenlit.log"));
    for (const line of stacks.slice(0, maxShown)) say(line.slice(0, 2000));
    return {
      bars: [
        atMost("answers with a 5xx other than 503, and requests without an answer", losses.length, 0),
        atMost("errors with a stack in the log", stacks.length, 0),
      ],
      figures: { seed, requests: sent, statuses, lateOnCrowdedMachine: late },
    };
  },
};

/** Depends on nothing but the seed and its number, so that one request can be sent again. */
function requestOf({ seed, index, targets }: { seed: number; index: number; targets: Targets }): FuzzRequest {
  return makeRequest(createRandom(Math.imul(seed, 1_000_003) + index), targets);
}

function isLoss(status: number): boolean {
  return status >= 500 && status !== 503;
}

async function send(pool: Pool, { method, path, headers, body }: FuzzRequest): Promise<Outcome> {
  const stop = new AbortController();
  let isLate = false;
  let timer = setTimeout(() => {
    isLate = (loadavg()[0] ?? 0) > crowdedLoad * availableParallelism();
    if (!isLate) return stop.abort();
    timer = setTimeout(() => stop.abort(), (crowdedPatienceSeconds - patienceSeconds) * 1000);
  }, patienceSeconds * 1000);
  try {
    const answer = await pool.request({
      method,
      path,
      headers,
      body: body ?? null,
      signal: stop.signal,
    });
    // A stream of events has no end.
    if (answer.headers["content-type"]?.toString().startsWith("text/event-stream")) {
      answer.body.on("error", () => {});
      answer.body.destroy();
    } else await answer.body.dump({ limit: 64 * 2 ** 20 });
    return { status: answer.statusCode, isLate };
  } catch (error) {
    const { code = "", message } = error as Error & { code?: string };
    // Undici itself refuses to send it; a connection that the server ended after a refusal is no loss of an answer.
    if (code === "UND_ERR_INVALID_ARG") return { status: 0, isLate };
    const seconds = isLate ? crowdedPatienceSeconds : patienceSeconds;
    return { problem: stop.signal.aborted ? `no answer in ${seconds} s` : `${code} ${message}` };
  } finally {
    clearTimeout(timer);
  }
}

async function errorsIn(file: string): Promise<string[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  return lines.filter((line) => {
    const { level, err, errorCode } = JSON.parse(line) as LogLine;
    // A busy machine may answer with 503, which the log explains.
    return level >= 50 && err?.stack !== undefined && errorCode !== "unavailable";
  });
}
