import { createGreenlit, type UploadCheckpoint, UploadError } from "../index.ts";
import type { Fetch } from "../retry.ts";
import { equal, json, rejection, scriptedFetch, type SuiteCase, uniqueName } from "./suite-case.ts";

const mebibyte = 1024 * 1024;
const sizeBytes = 36 * mebibyte + 5;
const shortBytes = 17 * mebibyte;

/** Lines of text, the same at every reading. */
function longText(sizeBytes: number): { size: number; read(start: number, end: number): Promise<Uint8Array> } {
  return { size: sizeBytes, read: async (start, end) => new Uint8Array(end - start).fill(97) };
}

function isBlock(url: string): boolean {
  return url.includes("comp=block&");
}

/** Counts the blocks that go out. */
function countBlocks(before: (url: string, count: number) => Response | Promise<never> | undefined = () => undefined) {
  const state = { blocks: 0 };
  const counting: Fetch = async (url, init) => {
    if (isBlock(url)) state.blocks += 1;
    return before(url, state.blocks) ?? fetch(url, init);
  };
  return { state, fetch: counting };
}

function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
}

export const uploadCases: SuiteCase[] = [
  {
    name: "an upload that was stopped half-way goes on where it was, and its bytes are whole",
    async run({ baseUrl, sandboxKey }) {
      const stop = new AbortController();
      const filename = uniqueName("long", "txt");
      let checkpoint: UploadCheckpoint | undefined;
      // Three of five blocks arrive; the others hang until the upload is killed.
      const half = countBlocks((url, count) => (isBlock(url) && count > 3 ? hang(stop.signal) : undefined));
      const first = createGreenlit({ baseUrl, apiKey: sandboxKey, fetch: half.fetch });

      const stopped = await rejection(
        first.upload(longText(sizeBytes), {
          filename,
          signal: stop.signal,
          onCheckpoint: (newest) => (checkpoint = JSON.parse(JSON.stringify(newest)) as UploadCheckpoint),
          onProgress: ({ sentBytes }) => sentBytes >= 24 * mebibyte && stop.abort(new Error("killed")),
        }),
      );
      const { state, fetch } = countBlocks();
      const second = createGreenlit({ baseUrl, apiKey: sandboxKey, fetch });
      const progress: number[] = [];
      const { blobPath } = await second.upload(longText(sizeBytes), {
        filename,
        onProgress: ({ sentBytes }) => progress.push(sentBytes),
        ...(checkpoint && { resume: checkpoint }),
      });
      const created = await second.submissions.create({ assets: [{ blobPath }] });
      const { assets } = await second.submissions.get(created.submissionId);

      equal(stopped.message, "killed");
      equal(state.blocks, 2, "blocks sent after the kill");
      equal(progress.at(-1), sizeBytes);
      equal(assets[0]?.sizeBytes, sizeBytes);
    },
  },
  {
    name: "an upload that was committed already is not sent again",
    async run({ baseUrl, sandboxKey }) {
      const filename = uniqueName("committed", "txt");
      let checkpoint: UploadCheckpoint | undefined;
      const greenlit = createGreenlit({ baseUrl, apiKey: sandboxKey });
      const first = await greenlit.upload(longText(shortBytes), {
        filename,
        onCheckpoint: (newest) => (checkpoint = newest),
      });
      const { state, fetch } = countBlocks();

      const again = await createGreenlit({ baseUrl, apiKey: sandboxKey, fetch }).upload(longText(shortBytes), {
        filename,
        ...(checkpoint && { resume: checkpoint }),
      });

      equal([again.blobPath, state.blocks], [first.blobPath, 0]);
    },
  },
  {
    name: "blocks that the store refuses for a moment are sent again",
    async run({ baseUrl, sandboxKey }) {
      const { state, fetch } = countBlocks((url, count) =>
        isBlock(url) && count % 3 === 1 ? new Response("", { status: 503 }) : undefined,
      );

      const { blobPath } = await createGreenlit({ baseUrl, apiKey: sandboxKey, fetch }).upload(longText(shortBytes), {
        filename: uniqueName("shaky", "txt"),
      });

      equal(blobPath.includes("shaky"), true);
      equal(state.blocks > 3, true, `${state.blocks} blocks`);
    },
  },
  {
    name: "an expired address is renewed once for all blocks, and a service without renewal gives a new one",
    async run({ baseUrl, sandboxKey }) {
      for (const hasRenewal of [true, false]) {
        const filename = uniqueName("renewed", "txt");
        const plain = createGreenlit({ baseUrl, apiKey: sandboxKey });
        const url = await plain.uploads.createUrl({ filename, contentType: "text/plain" });
        const expired = { ...url, expiresAt: new Date(0).toISOString() };
        let renewals = 0;
        const { state, fetch } = countBlocks((address) => {
          if (!address.endsWith("/uploads/url/renew")) return undefined;
          renewals += 1;
          return hasRenewal
            ? json(200, url)()
            : json(404, { error_code: "not_found", message: "There is no such path." })();
        });

        const { blobPath } = await createGreenlit({ baseUrl, apiKey: sandboxKey, fetch }).upload(longText(shortBytes), {
          filename,
          resume: {
            ...expired,
            filename,
            contentType: "text/plain",
            sizeBytes: shortBytes,
            blockBytes: 8 * mebibyte,
            blocks: [],
          },
        });

        equal([blobPath, renewals, state.blocks], [url.blobPath, 1, 3]);
      }
    },
  },
  {
    name: "an address of S3 gets the whole file in one PUT, without the key",
    async run() {
      const uploadUrl = "https://bucket.s3.example/key?X-Amz-Signature=abc";
      const { fetch, seen } = scriptedFetch([
        json(200, { uploadUrl, blobPath: "ws_1/ad.mp4", expiresAt: new Date(Date.now() + 3_600_000).toISOString() }),
        () => new Response(""),
      ]);
      const file = new Blob([new Uint8Array(11 * mebibyte)], { type: "video/mp4" });

      const { blobPath } = await createGreenlit({ apiKey: "sk_test_x", fetch }).upload(file, { filename: "ad.mp4" });

      const put = seen[1];
      equal([blobPath, put?.url, put?.method, put?.headers.get("x-api-key")], ["ws_1/ad.mp4", uploadUrl, "PUT", null]);
      equal((put?.body as Blob | undefined)?.size, file.size);
    },
  },
  {
    name: "an address of S3 that has expired is renewed, and the file goes to the same object",
    async run() {
      const s3 = (signature: string) => `https://bucket.s3.example/key?X-Amz-Signature=${signature}`;
      const filename = "ad.mp4";
      const file = new Blob([new Uint8Array(11 * mebibyte)], { type: "video/mp4" });
      const address = { blobPath: "ws_1/ad.mp4", expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
      const { fetch, seen } = scriptedFetch([
        () => new Response("<Error><Code>AccessDenied</Code></Error>", { status: 403 }),
        json(200, { ...address, uploadUrl: s3("new") }),
        () => new Response(""),
      ]);

      const { blobPath } = await createGreenlit({ apiKey: "sk_test_x", fetch }).upload(file, {
        filename,
        resume: {
          ...address,
          uploadUrl: s3("old"),
          filename,
          contentType: file.type,
          sizeBytes: file.size,
          blockBytes: 8 * mebibyte,
          blocks: [],
        },
      });

      equal(
        [blobPath, seen.map(({ url }) => new URL(url).search || new URL(url).pathname)],
        ["ws_1/ad.mp4", ["?X-Amz-Signature=old", "/api/integrations/uploads/url/renew", "?X-Amz-Signature=new"]],
      );
    },
  },
  {
    name: "the store's refusal is an UploadError with its code, and is not tried for ever",
    async run() {
      const uploadUrl = "https://account.blob.example/c/b?sig=abc";
      const { fetch, seen } = scriptedFetch([
        json(200, { uploadUrl, blobPath: "ws_1/ad.mp4", expiresAt: new Date(Date.now() + 3_600_000).toISOString() }),
        () =>
          new Response("<Error><Code>RequestBodyTooLarge</Code><Message>Too much.</Message></Error>", { status: 413 }),
      ]);

      const error = await rejection(
        createGreenlit({ fetch }).upload(new Uint8Array(11 * mebibyte), { filename: "ad.mp4" }),
      );

      equal(error instanceof UploadError && [error.status, error.code], [413, "RequestBodyTooLarge"]);
      equal(seen.length <= 3, true, `${seen.length} requests`);
    },
  },
];
