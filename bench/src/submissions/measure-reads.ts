import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { applyLoad } from "../load.ts";
import { startPart } from "../part.ts";
import { say } from "../report.ts";
import { createDatabase } from "../scratch.ts";
import type { CreatingPart } from "./creating-part.ts";

const connections = 32;
const sample = 10_000;

/** A service whose database has so many assets, and a measure of its status reads a second, of ids all over the table. */
export async function startReads(
  stack: AsyncDisposableStack,
  options: { folder: string; serverUrl: string; assets: number },
): Promise<() => Promise<number>> {
  const name = `reads_${options.assets}`;
  const databaseUrl = await createDatabase(options.serverUrl, name);
  const folder = join(options.folder, name);
  await mkdir(folder);
  const service = stack.use(
    await startPart<CreatingPart>(new URL("./creating-part.ts", import.meta.url), { folder, databaseUrl, role: "api" }),
  );
  say(`filling in ${options.assets} assets`);
  const ids = await service.ask("fill", { count: options.assets, sample });
  const { apiUrl, key } = service.ready;
  const measure = async (seconds: number) => {
    const { perSecond } = await applyLoad({
      url: apiUrl,
      headers: { "x-api-key": key },
      connections,
      seconds,
      paths: atRandom(ids.map((id) => `/api/integrations/submissions/${id}`)),
    });
    return perSecond;
  };
  await measure(2);
  return () => measure(3);
}

function* atRandom(paths: readonly string[]): Generator<string, string> {
  for (;;) yield paths[Math.floor(Math.random() * paths.length)] ?? "";
}
