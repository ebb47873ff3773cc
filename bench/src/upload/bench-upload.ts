import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { startPart, type Part } from "../part.ts";
import { forgetPeak, peakBytesOf } from "../process-figures.ts";
import { atLeast, atMost, rounded, say, type Bench } from "../report.ts";
import { takeTurns } from "../rounds.ts";
import { assertFreeDisk, openScratchFolder, startScratchPostgres } from "../scratch.ts";
import type { ServicePart } from "../service-part.ts";
import type { BareListener } from "./bare-listener.ts";
import { startNginx } from "./nginx.ts";
import { sendBytes } from "./send-bytes.ts";

const mib = 1024 * 1024;
const fileBytes = 1024 * mib;
const rounds = 5;
const uploadsAtOnce = 200;
const smallBytes = 10_000_000;

export const benchUpload: Bench = {
  about: "A 1 GiB PUT to the store, against a bare Node listener that writes and syncs; and 200 uploads at once.",
  async run(stack) {
    const folder = await openScratchFolder(stack);
    await assertFreeDisk(folder, 4 * fileBytes + 2 * uploadsAtOnce * smallBytes);
    const databaseUrl = await startScratchPostgres(stack, folder);
    const service = stack.use(
      await startPart<ServicePart>(new URL("../service-part.ts", import.meta.url), {
        folder,
        databaseUrl,
        role: "all",
      }),
    );
    // Before the large ones: what those leave in the heap is no part of it.
    const small = await sendManyAtOnce(service);

    const bareFolder = join(folder, "bare");
    await mkdir(bareFolder);
    const bare = stack.use(
      await startPart<BareListener>(new URL("./bare-listener.ts", import.meta.url), { folder: bareFolder }),
    );
    const nginx = await startNginx(stack, join(folder, "nginx"));
    if (!nginx) say("nginx is not installed and is left out");
    const peaks = { greenlit: 0, bare: 0 };
    const { medians, ratio } = await takeTurns(
      { rounds, unit: "MiB/s" },
      {
        async greenlit() {
          const uploadUrl = await issueUrl(service, "film.mp4");
          forgetPeak(service.pid);
          const seconds = await sendBytes(uploadUrl, fileBytes);
          peaks.greenlit = Math.max(peaks.greenlit, peakBytesOf(service.pid));
          await service.ask("removeUploads");
          return fileBytes / mib / seconds;
        },
        async bare() {
          forgetPeak(bare.pid);
          const seconds = await sendBytes(`${bare.ready.url}/film.mp4`, fileBytes);
          peaks.bare = Math.max(peaks.bare, peakBytesOf(bare.pid));
          await removeFiles(bareFolder);
          return fileBytes / mib / seconds;
        },
        ...(nginx && {
          async nginx() {
            const seconds = await sendBytes(`${nginx.url}/film.mp4`, fileBytes);
            await removeFiles(nginx.files);
            return fileBytes / mib / seconds;
          },
        }),
      },
    );
    return {
      bars: [
        atLeast("rate of a 1 GiB upload as a share of the bare listener's", ratio("greenlit", "bare"), 0.9),
        atMost(`peak memory in MB of ${uploadsAtOnce} uploads at once of 10 MB`, small.peakBytes / 1e6, 300),
      ],
      figures: {
        mibPerSecond: medians,
        peakMbOfOneUpload: { greenlit: rounded(peaks.greenlit / 1e6), bare: rounded(peaks.bare / 1e6) },
        uploadsAtOnce: {
          mibPerSecond: rounded(small.mibPerSecond),
          residentMbBefore: rounded(small.beforeBytes / 1e6),
        },
      },
    };
  },
};

async function sendManyAtOnce(
  service: Part<ServicePart>,
): Promise<{ peakBytes: number; beforeBytes: number; mibPerSecond: number }> {
  say(`${uploadsAtOnce} uploads at once`);
  const urls: string[] = [];
  for (let index = 0; index < uploadsAtOnce; index++) urls.push(await issueUrl(service, `clip-${index}.mp4`));
  const { rssBytes: beforeBytes } = await service.ask("measureMemory");
  forgetPeak(service.pid);
  const startedAt = performance.now();
  await Promise.all(urls.map((url) => sendBytes(url, smallBytes)));
  const seconds = (performance.now() - startedAt) / 1000;
  const peakBytes = peakBytesOf(service.pid);
  await service.ask("removeUploads");
  return { peakBytes, beforeBytes, mibPerSecond: (uploadsAtOnce * smallBytes) / mib / seconds };
}

async function issueUrl(service: Part<ServicePart>, filename: string): Promise<string> {
  const { apiUrl, key } = service.ready;
  const response = await fetch(`${apiUrl}/api/integrations/uploads/url`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ filename, contentType: "video/mp4" }),
  });
  if (!response.ok) throw new Error(`no upload URL: ${await response.text()}`);
  const { uploadUrl } = (await response.json()) as { uploadUrl: string };
  return uploadUrl;
}

async function removeFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name));
}
