import { readFile } from "node:fs/promises";
import sharp from "sharp";
import type { Random } from "../fuzz/random.ts";

const patienceMs = 60_000;
const film = new URL("../../../engine/golden/files/flash-3hz.mp4", import.meta.url);

export type MixedLoad = {
  /** Submissions that were answered with 201. */
  acknowledged: string[];
  /** How often each status came; `gone` stands for a connection that broke. */
  statuses: Record<string, number>;
  /** Answers that no fault excuses: a 5xx that tells nobody to come again, or none within a minute. */
  wrong: string[];
  slowestSeconds: () => number;
  stop(): Promise<void>;
};

/** Uploads, submissions and reads as teams send them: mostly texts, now and then a picture or a short film. */
export async function startMixedLoad(options: {
  apiUrls: readonly string[];
  key: string;
  random: Random;
  /** Between two rounds at one API. */
  pauseMs: number;
  /** Resolves when the workers can take more: a queue that only grows says nothing about faults. */
  whenRoom?: () => Promise<void>;
}): Promise<MixedLoad> {
  const { apiUrls, key, random, pauseMs, whenRoom } = options;
  const picture = await sharp({ create: { width: 320, height: 180, channels: 3, background: "#3366aa" } })
    .png()
    .toBuffer();
  const filmBytes = await readFile(film);
  const acknowledged: string[] = [];
  const statuses: Record<string, number> = {};
  const wrong: string[] = [];
  let slowestMs = 0;
  const stopped = new AbortController();

  function nextFile(): File {
    const share = random.below(100);
    if (share < 3) return new File([new Uint8Array(filmBytes)], "film.mp4", { type: "video/mp4" });
    if (share < 12) return new File([new Uint8Array(picture)], "banner.png", { type: "image/png" });
    return new File([`Note ${random.below(1e6)}: this bracelet cures arthritis.`], "note.txt", { type: "text/plain" });
  }

  async function call(url: string, init: RequestInit = {}): Promise<{ status: number; json: Record<string, unknown> }> {
    const startedAt = performance.now();
    const path = new URL(url).pathname.replaceAll(/[0-9a-f-]{36}/g, ":id");
    try {
      const answer = await fetch(url, {
        ...init,
        signal: AbortSignal.timeout(patienceMs),
        headers: { "x-api-key": key, ...(typeof init.body === "string" && { "content-type": "application/json" }) },
      });
      const json = (await answer.json()) as Record<string, unknown>;
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status >= 500 && answer.status !== 503 && answer.status !== 507)
        wrong.push(`${init.method ?? "GET"} ${path}: ${answer.status} ${JSON.stringify(json).slice(0, 300)}`);
      return { status: answer.status, json };
    } catch (error) {
      const isLate = error instanceof DOMException && error.name === "TimeoutError";
      if (isLate) wrong.push(`${init.method ?? "GET"} ${path}: no answer in ${patienceMs / 1000} s`);
      else statuses["gone"] = (statuses["gone"] ?? 0) + 1;
      return { status: 0, json: {} };
    } finally {
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
  }

  async function oneRound(root: string): Promise<void> {
    const form = new FormData();
    form.set("file", nextFile());
    const upload = await call(`${root}/uploads/direct`, { method: "POST", body: form });
    if (upload.status === 201) {
      const body = JSON.stringify({ assets: [{ blobPath: upload.json["blobPath"] }] });
      const created = await call(`${root}/submissions`, { method: "POST", body });
      if (created.status === 201) acknowledged.push(String(created.json["submissionId"]));
    }
    const some = acknowledged[random.below(Math.max(1, acknowledged.length))];
    if (some) await call(`${root}/submissions/${some}`);
    await call(`${root}/submissions?limit=5`);
  }

  const rounds = apiUrls.map(async (url) => {
    while (!stopped.signal.aborted) {
      await oneRound(`${url}/api/integrations`);
      await whenRoom?.();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  });
  return {
    acknowledged,
    statuses,
    wrong,
    slowestSeconds: () => slowestMs / 1000,
    async stop() {
      stopped.abort();
      await Promise.all(rounds);
    },
  };
}
