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

const flashes = new URL("../../engine/golden/files/flash-4hz.mp4", import.meta.url);

async function givenFlashes(workspace: TestWorkspace): Promise<string> {
  const { submissionId, assetId } = await submitFlashes(workspace);
  return `${service.url}/console/assets/${submissionId}/${assetId}`;
}

async function submitFlashes(workspace: TestWorkspace, previous: { previousSubmissionId?: string } = {}) {
  const bytes = new Uint8Array(await readFile(flashes));
  const blobPath = await workspace.upload({ filename: "flash-4hz.mp4", contentType: "video/mp4", bytes });
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath, ...previous }] });
  return { submissionId, assetId: assets[0]?.assetId ?? "" };
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

test("two versions are compared side by side, by flicking and by wiping, at the same moment", async (t) => {
  if (!browser) return t.skip(noBrowser);
  const workspace = await service.newWorkspace();
  const first = await submitFlashes(workspace);
  await workspace.finish(first.submissionId);
  const second = await submitFlashes(workspace, { previousSubmissionId: first.submissionId });
  await workspace.finish(second.submissionId);
  const { page } = await signedIn({ service, browser, workspaceId: workspace.workspaceId, role: "viewer" });
  await page.goto(`${service.url}/console/assets/${second.submissionId}/${second.assetId}`);
  await page.locator(".finding").first().waitFor();
  const isAt = (seconds: number) =>
    page.waitForFunction((wanted) => {
      const videos = [...document.querySelectorAll("video")];
      return videos.length === 2 && videos.every(({ currentTime }) => Math.abs(currentTime - wanted) < 0.03);
    }, seconds);

  await page.getByRole("button", { name: "Compare" }).click();
  await page.locator(".pair video").nth(1).waitFor();
  await page.keyboard.press("g");
  await page.getByLabel("Time").fill("1.2");
  await page.keyboard.press("Enter");
  await isAt(1.2);
  const sources = await page.locator("video").evaluateAll((all) => all.map((video) => video.getAttribute("src") ?? ""));
  assert.ok(sources[0]?.includes(first.assetId) && sources[1]?.includes(second.assetId), sources.join(" "));

  const other = page.locator(".over");
  await page.keyboard.press("1");
  await page.getByRole("button", { name: "Version 1" }).and(page.locator("[aria-pressed=true]")).waitFor();
  assert.equal(await other.isVisible(), true);
  await isAt(1.2);
  await page.keyboard.press("2");
  await page.getByRole("button", { name: "Version 2" }).and(page.locator("[aria-pressed=true]")).waitFor();
  assert.equal(await other.isVisible(), false);

  await page.getByRole("button", { name: "Wipe" }).click();
  await page.getByRole("slider", { name: "other version" }).fill("30");
  assert.equal(await other.evaluate(({ style }) => style.clipPath), "inset(0px 70% 0px 0px)");
  await isAt(1.2);
  await page.keyboard.press("Escape");
  await other.waitFor({ state: "detached" });
  browser.assertQuiet();
});

test("an earlier version is offered even to somebody who is quicker than the search for it", async (t) => {
  if (!browser) return t.skip(noBrowser);
  const workspace = await service.newWorkspace();
  const first = await submitFlashes(workspace);
  await workspace.finish(first.submissionId);
  const { page } = await signedIn({ service, browser, workspaceId: workspace.workspaceId });
  const answer = Promise.withResolvers<void>();
  await page.route(/\/reviews\?.*q=flash/, async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.goto(`${service.url}/console`);
  await page.locator(".rows a").waitFor();

  await choose(page, { name: "flash-4hz_v2.mp4", mimeType: "video/mp4", buffer: await readFile(flashes) });
  await page.getByRole("button", { name: "Upload and check" }).click();
  await page.getByRole("button", { name: "Looking for earlier versions" }).waitFor();
  answer.resolve();
  await page.getByText("New version of flash-4hz.mp4").waitFor();
  assert.equal(await page.locator(".upload-panel").count(), 0, "it was sent before the offer was seen");
  await page.getByRole("button", { name: "Upload and check" }).click();
  await page.locator(".upload-panel").getByText("Submitted").waitFor();

  await page.locator(".upload-panel a").click();
  await page.getByText("Version 2").first().waitFor();
  browser.assertQuiet();
});

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

type ChosenFile = string | { name: string; mimeType: string; buffer: Buffer };

async function choose(page: Page, file: ChosenFile): Promise<void> {
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
