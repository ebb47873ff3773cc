import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import { postAll } from "../load.ts";
import { startPart } from "../part.ts";
import { atLeast, type Result, say } from "../report.ts";
import { takeTurns } from "../rounds.ts";
import { createDatabase } from "../scratch.ts";
import type { BareCreator } from "./bare-creator.ts";
import type { CreatingPart } from "./creating-part.ts";

const atOnce = 10;
const rounds = 5;
// Fewer would be over before the compiler has seen the code often enough to make it fast.
const count = 400;

/** Submissions created by HTTP, by the verb, and by a bare loop of the same transactions. */
export async function measureCreating(options: { folder: string; serverUrl: string }): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const databaseUrl = await createDatabase(options.serverUrl, "creating");
  const folder = join(options.folder, "creating");
  await mkdir(folder);
  const service = stack.use(
    await startPart<CreatingPart>(new URL("./creating-part.ts", import.meta.url), {
      folder,
      databaseUrl,
      role: "api",
      env: { GREENLIT_DATABASE_POOL_SIZE: String(atOnce) },
    }),
  );
  const bare = stack.use(
    await startPart<BareCreator>(new URL("./bare-creator.ts", import.meta.url), { databaseUrl, poolSize: atOnce }),
  );
  say("uploading what is to be submitted");
  const uploads = (await service.ask("giveUploads", 2 * (rounds + 1) * count)).values();
  const take = () => Array.from({ length: count }, () => uploads.next().value ?? "");
  const { apiUrl, key } = service.ready;
  const url = `${apiUrl}/api/integrations/submissions`;
  const headers = { "x-api-key": key };
  const contestants = {
    http: () =>
      postAll({
        url,
        headers,
        connections: atOnce,
        bodies: take().map((blobPath) => JSON.stringify({ assets: [{ blobPath }] })),
      }),
    verb: async () => count / (await service.ask("create", { blobPaths: take(), atOnce })),
    bare: async () => count / (await bare.ask("create", { count, atOnce })),
  };
  for (const warmUp of Object.values(contestants)) await warmUp();
  const { medians, ratio } = await takeTurns({ rounds, unit: "submissions/s" }, contestants);
  return {
    bars: [atLeast("rate of creating by HTTP as a share of bare transactions'", ratio("http", "bare"), 0.7)],
    figures: { createdPerSecond: { ...medians, atOnce } },
  };
}
