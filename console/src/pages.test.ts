import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { givenPerson } from "@greenlit/server/testing/test-person.ts";
import { startTestService, type TestService, type TestWorkspace } from "@greenlit/server/testing/test-service.ts";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { noBrowser, startBrowser, type TestBrowser } from "./testing/browser.ts";

const photosensitivityId = "6b1f2a7e-93c4-4d0f-8a55-2f0c7d1e3b21";

let service: TestService;
let browser: TestBrowser | undefined;
let cookie: string;
let asset: string;
let certificateId: string;
before(async () => {
  browser = await startBrowser();
  if (!browser) return;
  service = await startTestService({ env: { GREENLIT_DEFAULT_SIDEKICKS: photosensitivityId } });
  const workspace = await service.newWorkspace();
  cookie = (await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "admin" }] })).cookie;
  const bytes = new Uint8Array(await readFile(new URL("../../engine/golden/files/flash-4hz.mp4", import.meta.url)));
  const blobPath = await workspace.upload({ filename: "flash-4hz.mp4", contentType: "video/mp4", bytes });
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath }] });
  await workspace.finish(submissionId);
  asset = `/assets/${submissionId}/${assets[0]?.assetId}`;
  certificateId = await givenCertificate(workspace);
});

async function givenCertificate(workspace: TestWorkspace): Promise<string> {
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  await workspace.finish(submissionId);
  const path = `/submissions/${submissionId}/assets/${assets[0]?.assetId}`;
  const { workspaceId } = workspace;
  const approver = await givenPerson(service, { roles: [{ workspaceId, role: "approver" }] });
  await approver.call("POST", `${path}/review/decisions`, { body: { decision: "approved" } });
  const { json, text } = await approver.call("POST", `${path}/certificate`, { body: {} });
  assert.ok(typeof json["certificateId"] === "string", text);
  return json["certificateId"];
}
after(async () => {
  await browser?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

async function signedIn(options: { width?: number; theme?: "light" | "dark" }): Promise<Page> {
  assert.ok(browser);
  const page = await browser.open(options);
  const [name = "", value = ""] = cookie.split("=");
  await page.context().addCookies([{ name, value, url: service.url }]);
  return page;
}

const telephone = { width: 375, height: 760 };
const zoomedLaptop = { width: 720, height: 450 };

/** Each page and what shows that it is there. */
function pages(): [string, string][] {
  return [
    ["", ".rows"],
    [asset, ".finding"],
    [`${asset}/markets`, ".matrix"],
    ["?show=markets", ".market-strip a"],
    ["/certificates", ".rows"],
    [`/certificates/${certificateId}`, ".qr"],
    [`/status/${certificateId}`, ".verdict-line"],
    ["/rules", ".pack"],
    ["/usage", ".bars"],
    ["/webhooks", ".empty"],
    ["/keys", "tbody tr"],
    ["/people", "tbody tr"],
    ["/audit", ".audit li, .empty"],
    ["/settings", ".check"],
    ["/profile", ".plain-list li"],
  ];
}

for (const theme of ["light", "dark"] as const)
  test(`axe finds nothing on any page in the ${theme} theme`, async (t) => {
    if (!browser) return t.skip(noBrowser);
    const page = await signedIn({ theme });
    const all: string[] = [];
    for (const [path, sign] of pages()) {
      await page.goto(`${service.url}/console${path}`);
      await page.locator(sign).first().waitFor();
      if (path === asset) await page.keyboard.press("n");
      await page.evaluate(axe.source);
      const found = await page.evaluate(async () => {
        const { axe: checker } = globalThis as unknown as { axe: typeof axe };
        const { violations } = await checker.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" ")}`);
      });
      all.push(...found.map((text) => `${path} ${text}`));
    }
    assert.deepEqual(all, []);
    browser.assertQuiet();
  });

test("no page is wider than a small telephone, nor than a laptop at 200 %", async (t) => {
  if (!browser) return t.skip(noBrowser);
  const page = await signedIn({ width: 375 });
  const wide: string[] = [];
  for (const [path, sign] of pages()) {
    await page.goto(`${service.url}/console${path}`);
    await page.locator(sign).first().waitFor();
    for (const size of [telephone, zoomedLaptop]) {
      await page.setViewportSize(size);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > size.width) wide.push(`${path}: ${width} of ${size.width}`);
    }
    await page.setViewportSize(telephone);
  }
  assert.deepEqual(wide, []);
  browser.assertQuiet();
});

test("a finding is shown at its own frame, and a step moves by one frame", async (t) => {
  if (!browser) return t.skip(noBrowser);
  const page = await signedIn({});
  await page.goto(`${service.url}/console${asset}`);
  await page.locator(".finding").first().waitFor();
  await page.evaluate(() => {
    const video = document.querySelector("video");
    const see = (_: number, { mediaTime }: VideoFrameCallbackMetadata) => {
      document.body.dataset["frame"] = String(mediaTime);
      video?.requestVideoFrameCallback(see);
    };
    video?.requestVideoFrameCallback(see);
  });
  const frame = () => page.evaluate(() => Number(document.body.dataset["frame"] ?? "-1"));
  const shows = (seconds: number) =>
    page.waitForFunction(
      (wanted) => Math.abs(Number(document.body.dataset["frame"] ?? "-1") - wanted) < 0.021,
      seconds,
    );
  await page.keyboard.press("g");
  await page.getByLabel("Time").fill("00:00:01:05");
  await page.keyboard.press("Enter");
  await shows(1.2);

  await page.keyboard.press("ArrowRight");
  await shows(1.24);
  await page.keyboard.press("Shift+ArrowLeft");
  await shows(0.24);

  assert.ok(Math.abs((await frame()) - 0.24) < 0.021);
  browser.assertQuiet();
});
