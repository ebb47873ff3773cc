import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findMediaTypesByExtension } from "@greenlit/engine/media-types/media-types.ts";
import { until } from "@greenlit/engine/testing/until.ts";
import { allAtOnce } from "../at-once.ts";
import { openEnough } from "../enough.ts";
import { createRandom } from "../fuzz/random.ts";
import { startPart } from "../part.ts";
import { atMost, say, type Bench } from "../report.ts";
import { openScratchFolder, startScratchPostgres } from "../scratch.ts";
import type { ServicePart } from "../service-part.ts";
import { hostileOriginals, type Original } from "./hostile-originals.ts";
import { mutateFile } from "./mutate-file.ts";

const goldenFolder = fileURLToPath(new URL("../../../engine/golden/files/", import.meta.url));
const maxBytes = 2 * 2 ** 20;
const atOnce = 6;
/** Larger ones hold a minute of speech or supers, and take most of the time. */
const smallBytes = 20_000;
const hostileShare = 10;
const smallShare = 85;
/** What says that we failed, not the file. */
const ourFailures = new Set([
  "analyzer_crashed",
  "internal_error",
  "analyzer_timeout",
  "storage_unavailable",
  "unavailable",
  "never_ended",
]);
/** For an answer other than 503, and then for the end of the analysis, with five others before it. */
const patienceMs = 10 * 60_000;
/** Asking all the time would take the time of what is waited for. */
const pauseMs = 250;

type Ended = { status: string; assets: { errorType: string | null; errorMessage: string | null }[] };

export const soakFiles: Bench = {
  about: "Damaged and hostile files: each ends with a fitting errorType, and nothing stays in scratch (--minutes N).",
  async run(stack) {
    const { values } = parseArgs({
      args: process.argv.slice(3),
      options: {
        seed: { type: "string" },
        files: { type: "string" },
        first: { type: "string" },
        kind: { type: "string" },
        minutes: { type: "string" },
      },
    });
    const seed = Number(values.seed ?? 1);
    const files = Number(values.files ?? 5000);
    const first = Number(values.first ?? 0);
    const kind = new RegExp(values.kind ?? "");
    const originals = await readOriginals(kind);
    const small = originals.filter(({ bytes }) => bytes.length < smallBytes);
    const hostile = hostileOriginals().filter(({ name }) => kind.test(name));
    const folder = await openScratchFolder(stack);
    const databaseUrl = await startScratchPostgres(stack, folder);
    const service = stack.use(
      await startPart<ServicePart>(new URL("../service-part.ts", import.meta.url), {
        folder,
        databaseUrl,
        role: "all",
      }),
    );
    const api = callApi(service.ready);

    const enough = openEnough(values.minutes);
    let ended = 0;
    const ends: Record<string, number> = {};
    const losses: string[] = [];
    const indexes = Array.from({ length: files }, (_, index) => first + index);
    const analyseOne = async (index: number) => {
      const random = createRandom(Math.imul(seed, 1_000_003) + index);
      const isHostile = hostile.length > 0 && random.percent(hostileShare);
      const isSmall = small.length > 0 && random.percent(smallShare);
      const original = random.pick(isHostile ? hostile : isSmall ? small : originals);
      const other = random.pick(originals).bytes;
      const bytes = isHostile && random.percent(50) ? original.bytes : mutateFile(random, original.bytes, other);
      const { end, message } = await api.analyse(original, bytes);
      ends[end] = (ends[end] ?? 0) + 1;
      if (ourFailures.has(end)) {
        losses.push(`file ${index} (${original.name}): ${end}: ${message}`);
        say(losses.at(-1) ?? "");
      }
      ended += 1;
      if (ended % 100 === 0) say(`${ended} files`);
    };
    await allAtOnce(indexes, atOnce, analyseOne, enough);
    const scratch = join(folder, "data", "scratch");
    // What browsers need to show the last files is still being made.
    await until(async () => (await filesIn(scratch)).length === 0).catch(() => undefined);
    const left = await filesIn(scratch);
    for (const path of left) say(`left in scratch: ${path}`);
    const health = await fetch(`${service.ready.apiUrl}/readyz`);
    return {
      bars: [
        atMost("files that ended by our failure", losses.length, 0),
        atMost("files left in scratch", left.length, 0),
        atMost("a service that is not ready afterwards", health.ok ? 0 : 1, 0),
      ],
      figures: { seed, files: ended, ends },
    };
  },
};

function callApi({ apiUrl, key }: ServicePart["ready"]) {
  const headers = { "x-api-key": key };
  const call = async (path: string, init: RequestInit = {}) => {
    for (const deadline = performance.now() + patienceMs; ;) {
      const answer = await fetch(`${apiUrl}/api/integrations${path}`, {
        ...init,
        headers: { ...headers, ...(typeof init.body === "string" && { "content-type": "application/json" }) },
      });
      const json = (await answer.json()) as Record<string, unknown>;
      // A busy machine may ask to come again.
      if (answer.status !== 503 || performance.now() > deadline) return { status: answer.status, json };
      await delay(1000);
    }
  };
  return {
    /** How it ended: `complete`, an errorType, or the error code of the request that refused it. */
    async analyse(original: Original, bytes: Buffer): Promise<{ end: string; message: string }> {
      const form = new FormData();
      form.set("file", new File([Uint8Array.from(bytes)], original.name, { type: original.contentType }));
      const upload = await call("/uploads/direct", { method: "POST", body: form });
      if (upload.status !== 201) return refused(upload);
      const assets = [{ blobPath: upload.json["blobPath"] }];
      const created = await call("/submissions", { method: "POST", body: JSON.stringify({ assets }) });
      if (created.status !== 201) return refused(created);
      const submissionId = String(created.json["submissionId"]);
      for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await delay(pauseMs)) {
        const { status, json } = await call(`/submissions/${submissionId}`);
        if (status !== 200) return refused({ status, json });
        const { status: end, assets } = json as unknown as Ended;
        if (end === "complete" || end === "failed")
          return { end: assets[0]?.errorType ?? end, message: assets[0]?.errorMessage ?? "" };
      }
      return { end: "never_ended", message: submissionId };
    },
  };
}

function refused({ status, json }: { status: number; json: Record<string, unknown> }): {
  end: string;
  message: string;
} {
  const code = String(json["error_code"]);
  return { end: status >= 500 && code !== "unavailable" ? "internal_error" : code, message: String(json["message"]) };
}

async function readOriginals(kind: RegExp): Promise<Original[]> {
  const originals: Original[] = [];
  for (const name of (await readdir(goldenFolder)).toSorted()) {
    const [mediaType] = findMediaTypesByExtension(extname(name).slice(1));
    const path = join(goldenFolder, name);
    if (!mediaType || !kind.test(name) || (await stat(path)).size > maxBytes) continue;
    originals.push({ name, contentType: mediaType.contentType, bytes: await readFile(path) });
  }
  return originals;
}

/** Files under analysis; what a worker keeps for all analyses is in folders named `cache`. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/cache\//.test(path));
}
