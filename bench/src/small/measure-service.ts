import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startPart } from "../part.ts";
import { rounded, say } from "../report.ts";
import { openScratchFolder, startScratchPostgres } from "../scratch.ts";
import type { ServicePart } from "../service-part.ts";

const photo = fileURLToPath(new URL("../../../engine/golden/files/gps.jpg", import.meta.url));

type SmallFile = { name: string; type: string; bytes: Buffer<ArrayBuffer>; count: number };

/** Small files through the whole service with all default sidekicks: from the first submission to the last result. */
export async function measureService(
  stack: AsyncDisposableStack,
  { text }: { text: string },
): Promise<Record<"textsPerSecond" | "jpegsPerSecond", number>> {
  const folder = await openScratchFolder(stack);
  const databaseUrl = await startScratchPostgres(stack, folder);
  const service = stack.use(
    await startPart<ServicePart>(new URL("../service-part.ts", import.meta.url), {
      folder,
      databaseUrl,
      role: "all",
      // Made for people to look at, after the result.
      env: { GREENLIT_RENDITIONS: "false" },
    }),
  );
  const { apiUrl, key } = service.ready;
  const call = async (path: string, { json, form }: { json?: unknown; form?: FormData } = {}) => {
    const answer = await fetch(`${apiUrl}/api/integrations${path}`, {
      method: json === undefined && form === undefined ? "GET" : "POST",
      headers: { "x-api-key": key, ...(json !== undefined && { "content-type": "application/json" }) },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(form && { body: form }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const upload = async ({ name, type, bytes }: SmallFile, number: number) => {
    const form = new FormData();
    form.set("file", new File([bytes], name.replace("N", String(number)), { type }));
    return (await call("/uploads/direct", { form }))["blobPath"] ?? "";
  };
  const submit = async (blobPath: string) =>
    (await call("/submissions", { json: { assets: [{ blobPath }] } }))["submissionId"] ?? "";
  const finish = async (submissionId: string) => {
    for (;;) {
      const { status } = await call(`/submissions/${submissionId}`);
      if (status === "complete") return;
      if (status === "failed") throw new Error(`submission ${submissionId} failed`);
      await setTimeout(20);
    }
  };
  const perSecond = async (file: SmallFile, first: number) => {
    const paths = await Promise.all(Array.from({ length: file.count }, (_, number) => upload(file, first + number)));
    const startedAt = performance.now();
    const ids = await Promise.all(paths.map(submit));
    for (const id of ids) await finish(id);
    return (file.count * 1000) / (performance.now() - startedAt);
  };

  const texts: SmallFile = { name: "text-N.txt", type: "text/plain", bytes: Buffer.from(text), count: 30 };
  const photos: SmallFile = { name: "photo-N.jpg", type: "image/jpeg", bytes: await readFile(photo), count: 10 };
  say("warming up the service");
  for (const file of [texts, photos]) await perSecond({ ...file, count: 4 }, 1000);
  // The cache is made beside the first analyses.
  await setTimeout(15_000);
  say("small files through the service");
  return {
    textsPerSecond: rounded(await perSecond(texts, 0)),
    jpegsPerSecond: rounded(await perSecond(photos, 0)),
  };
}
