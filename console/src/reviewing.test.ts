import assert from "node:assert/strict";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startTestService, type TestService, type TestWorkspace } from "@greenlit/server/testing/test-service.ts";
import type { Page } from "playwright-core";
import { noBrowser, startBrowser, type TestBrowser } from "./testing/browser.ts";
import { signedIn } from "./testing/signed-in.ts";

const photosensitivityId = "6b1f2a7e-93c4-4d0f-8a55-2f0c7d1e3b21";

let service: TestService;
let browser: TestBrowser | undefined;
before(async () => {
  browser = await startBrowser();
  if (browser) service = await startTestService({ env: { GREENLIT_DEFAULT_SIDEKICKS: photosensitivityId } });
});
after(async () => {
  await browser?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

async function givenFlashes(workspace: TestWorkspace): Promise<string> {
  const bytes = new Uint8Array(await readFile(new URL("../../engine/golden/files/flash-4hz.mp4", import.meta.url)));
  const blobPath = await workspace.upload({ filename: "flash-4hz.mp4", contentType: "video/mp4", bytes });
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath }] });
  return `${service.url}/console/assets/${submissionId}/${assets[0]?.assetId}`;
}

test("findings appear by themselves on a page that was opened before the analysis was over", async (t) => {
  if (!browser) return t.skip(noBrowser);
  const workspace = await service.newWorkspace();
  const { page } = await signedIn({ service, browser, workspaceId: workspace.workspaceId });

  await page.goto(await givenFlashes(workspace));

  await page.locator(".findings .finding").first().waitFor();
  browser.assertQuiet();
});

test("two reviewers see each other: who has claimed it, and what the other decided", async (t) => {
  if (!browser) return t.skip(noBrowser);
  const workspace = await service.newWorkspace();
  const { workspaceId } = workspace;
  const asset = await givenFlashes(workspace);
  const ana = (await signedIn({ service, browser, workspaceId, name: "Ana Lima" })).page;
  const ben = (await signedIn({ service, browser, workspaceId, name: "Ben Ode" })).page;
  await ana.goto(asset);
  await ana.locator(".badge.in_review").waitFor();

  await ben.goto(asset);
  await ben.getByText("Ana Lima is reviewing").waitFor();
  await ana.keyboard.press("n");
  await ana.locator(".finding.selected").waitFor();
  await ana.keyboard.press("a");

  await ben.locator(".finding .status.acknowledged").first().waitFor();
  browser.assertQuiet();
});

test("an advertisement is cleared by the keyboard alone", async (t) => {
  if (!browser) return t.skip(noBrowser);
  const workspace = await service.newWorkspace();
  const { page } = await signedIn({ service, browser, workspaceId: workspace.workspaceId, role: "approver" });
  await givenFlashes(workspace);
  await page.goto(`${service.url}/console`);
  await page.locator(".rows a").waitFor();

  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".finding").first().waitFor();
  const count = await page.locator(".finding").count();
  for (let left = count; left > 0; left -= 1) {
    await page.keyboard.press("n");
    await page.locator(".finding.selected").waitFor();
    await page.keyboard.press("d");
    await page.locator(".finding.selected .reasons").waitFor();
    await page.keyboard.press("1");
    await page.getByText(`Undecided ${left - 1}`).waitFor();
  }
  await focusByTab(page, "Decide…");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await focusByTab(page, "Approved");
  await page.keyboard.press("Enter");

  await page.locator(".badge.approved").waitFor();
  browser.assertQuiet();
});

/** Tab until the button has the focus, as somebody without a mouse would. */
async function focusByTab(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press("Shift+Tab");
    const text = await page.evaluate(() => document.activeElement?.textContent?.trim());
    if (text === name) return;
  }
  assert.fail(`${name} was not reached by the tab key`);
}

test("names of files are text in every list, whatever they hold, and break nothing on a small screen", async (t) => {
  if (!browser) return t.skip(noBrowser);
  const workspace = await service.newWorkspace();
  const names = [
    "<img src=x onerror=document.title='owned'>.txt",
    "פרסומת חדשה 2026.txt",
    `${"extremely-long-name-".repeat(12)}.txt`,
    "&lt;b&gt; ${7*7} {{7*7}} 🎬.txt",
  ];
  for (const filename of names) {
    const { submissionId } = await workspace.submit({ assets: [{ blobPath: await workspace.upload({ filename }) }] });
    await workspace.finish(submissionId);
  }
  const { page } = await signedIn({ service, browser, workspaceId: workspace.workspaceId }, { width: 375 });

  await page.goto(`${service.url}/console`);
  for (const name of names) await page.locator(".rows strong").getByText(name, { exact: true }).waitFor();
  const widths = [await page.evaluate(() => document.documentElement.scrollWidth)];
  for (const name of names) {
    await page.locator(".rows a").filter({ hasText: name }).click();
    await page.getByRole("heading", { name, exact: true }).waitFor();
    widths.push(await page.evaluate(() => document.documentElement.scrollWidth));
    assert.equal(await page.locator("img[src=x]").count(), 0);
    await page.goBack();
  }

  assert.deepEqual(new Set(widths), new Set([375]));
  browser.assertQuiet();
});

test("an upload that a reload cut off continues with what the store has", async (t) => {
  if (!browser) return t.skip(noBrowser);
  const workspace = await service.newWorkspace();
  const { page } = await signedIn({ service, browser, workspaceId: workspace.workspaceId });
  const folder = await mkdtemp(join(tmpdir(), "greenlit-resume-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "long-song.wav");
  await writeWave(file, 44 * 2 ** 20);
  let sent = 0;
  let isStuck = true;
  await page.route(/comp=block(?!list)/, async (route) => {
    sent += 1;
    // From the third block on nothing arrives any more.
    if (!isStuck || sent <= 2) await route.continue();
  });
  page.on("dialog", (dialog) => void dialog.accept());
  await page.goto(`${service.url}/console`);

  await choose(page, file);
  await page.getByRole("button", { name: "Upload and check" }).click();
  await page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => {
      if (!key.startsWith("upload ")) return false;
      const { blocks } = JSON.parse(localStorage.getItem(key) ?? "{}") as { blocks?: unknown[] };
      return blocks?.length === 2;
    }),
  );
  await page.reload();
  await page.getByText("Choose the same file again to continue").waitFor();
  [sent, isStuck] = [0, false];
  await choose(page, file);
  await page.getByText("continues where it stopped").waitFor();
  await page.getByRole("button", { name: "Upload and check" }).click();
  await page.locator(".upload-panel").getByText("Submitted").waitFor();

  assert.equal(sent, 4, "six blocks of 8 MiB, of which two were there");
});

async function choose(page: Page, file: string): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await page.locator(".rail").getByRole("button", { name: "Upload" }).click();
  await (await choosing).setFiles(file);
}

/** Silence of that many bytes. */
async function writeWave(file: string, sizeBytes: number): Promise<void> {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(sizeBytes - 8, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(48_000, 24);
  header.writeUInt32LE(192_000, 28);
  header.writeUInt16LE(4, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(sizeBytes - 44, 40);
  await using handle = await open(file, "w");
  await handle.write(header);
  await handle.truncate(sizeBytes);
}
