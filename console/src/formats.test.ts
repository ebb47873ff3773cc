import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTestService, type TestService } from "@greenlit/server/testing/test-service.ts";
import { noBrowser, startBrowser, type TestBrowser } from "./testing/browser.ts";
import { signedIn } from "./testing/signed-in.ts";

const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
/** One colour, in the inks of a printer. */
const cmykJpeg =
  "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAUDg8SDw0UEhASFxUUGB4yIR4cHB49LC4kMklATEtHQEZFUFpzYlBVbVZFRmSIZW13e4GCgU5gjZeMfZZzfoF8/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAGBf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAOBEMATQBZAEsAAD8AskawVGAAAA//2Q==";

type File = { filename: string; contentType: string; shown: string; bytes: Uint8Array<ArrayBuffer> };

/** Files that Chromium cannot show as they are, and where the page shows them. */
async function givenFiles(): Promise<File[]> {
  const kit: [filename: string, contentType: string, shown: string][] = [
    ["languages.mkv", "video/x-matroska", ".picture video"],
    ["gps.heic", "image/heic", ".picture img"],
    ["two-pages.tiff", "image/tiff", ".picture img"],
    ["claims.pdf", "application/pdf", ".paper img"],
    ["brief.docx", word, ".paper img"],
  ];
  const files = await Promise.all(
    kit.map(async ([filename, contentType, shown]) => ({
      filename,
      contentType,
      shown,
      bytes: Uint8Array.from(await readFile(pathOf(filename))),
    })),
  );
  const inks = Uint8Array.from(Buffer.from(cmykJpeg, "base64"));
  files.push({ filename: "inks.jpg", contentType: "image/jpeg", shown: ".picture img", bytes: inks });
  const stream = await remux("languages.mkv", "mpegts");
  if (stream) files.push({ filename: "stream.ts", contentType: "video/mp2t", shown: ".picture video", bytes: stream });
  return files;
}

function pathOf(filename: string): string {
  return fileURLToPath(new URL(`../../engine/golden/files/${filename}`, import.meta.url));
}

/** Undefined where no ffmpeg is installed. */
async function remux(filename: string, format: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const options = { encoding: "buffer", maxBuffer: 2 ** 26 } as const;
  const words = ["-v", "error", "-i", pathOf(filename), "-map", "0:v:0", "-c", "copy", "-f", format, "pipe:1"];
  try {
    return Uint8Array.from((await promisify(execFile)("ffmpeg", words, options)).stdout);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

let service: TestService;
let browser: TestBrowser | undefined;
before(async () => {
  browser = await startBrowser();
  if (browser) service = await startTestService({ env: { GREENLIT_RENDITIONS: "true" } });
});
after(async () => {
  await browser?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

test("files that no browser shows by itself are watched and read in the console", async (t) => {
  if (!browser) return t.skip(noBrowser);
  const workspace = await service.newWorkspace();
  const files = await givenFiles();
  const blobPaths: string[] = [];
  for (const file of files) blobPaths.push(await workspace.upload(file));
  const { submissionId, assets } = await workspace.submit({ assets: blobPaths.map((blobPath) => ({ blobPath })) });
  await workspace.finish(submissionId);
  const { page } = await signedIn({ service, browser, workspaceId: workspace.workspaceId, role: "viewer" });
  // A copy is made after the results: until then its place says so.
  page.setDefaultTimeout(180_000);

  const seen: string[] = [];
  for (const [index, { filename, shown }] of files.entries()) {
    await page.goto(`${service.url}/console/assets/${submissionId}/${assets[index]?.assetId}`);
    await page.waitForFunction((selector) => {
      const element = document.querySelector(selector);
      if (element instanceof HTMLVideoElement) return element.readyState >= 2 && element.videoWidth > 0;
      return element instanceof HTMLImageElement && element.complete && element.naturalWidth > 0;
    }, shown);
    seen.push(filename);
  }

  assert.deepEqual(
    seen,
    files.map(({ filename }) => filename),
  );
});
