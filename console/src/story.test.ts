import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { startTestService, type TestService } from "@greenlit/server/testing/test-service.ts";
import type { Page } from "playwright-core";
import { noBrowser, startBrowser, type TestBrowser } from "./testing/browser.ts";

const photosensitivityId = "6b1f2a7e-93c4-4d0f-8a55-2f0c7d1e3b21";
const password = "correct horse battery staple";

let service: TestService;
let browser: TestBrowser | undefined;
before(async () => {
  browser = await startBrowser();
  if (browser)
    service = await startTestService({
      env: { GREENLIT_DEFAULT_SIDEKICKS: photosensitivityId, GREENLIT_RENDITIONS: "true" },
    });
});
after(async () => {
  await browser?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

test("an advertisement goes from the set-up link to the approval by a second person", async (t) => {
  if (!browser) return t.skip(noBrowser);
  const ana = await browser.open();
  const ben = await browser.open();

  await ana.goto(service.setupUrl ?? "");
  await ana.getByLabel("Email").fill("ana@example.com");
  await ana.getByLabel("Name").fill("Ana Lima");
  await ana.getByLabel("Password").fill(password);
  await ana.getByRole("button", { name: "Create account" }).click();
  await ana.getByRole("heading", { name: "Drop an advertisement here" }).waitFor();
  assert.ok(!ana.url().includes("setup="), "the token stays in the address");

  await chooseFile(ana, "flash-4hz.mp4");
  await ana.getByRole("button", { name: "UK" }).click();
  await ana.getByRole("button", { name: "Upload and check" }).click();
  await ana
    .locator(".rows")
    .getByRole("link", { name: /flash-4hz/ })
    .click();
  await ana.locator(".finding").first().waitFor();
  await ana.keyboard.press("n");
  const finding = ana.locator(".finding.selected");
  await finding.waitFor();
  await ana.keyboard.press("d");
  await ana.keyboard.press("4");
  await ana
    .getByText(/dismissed/)
    .first()
    .waitFor();
  await finding.getByText("risk accepted", { exact: false }).waitFor();
  browser.assertQuiet();

  await ana.getByRole("button", { name: "Decide…" }).click();
  await ana.getByRole("dialog").getByRole("button", { name: "Approved", exact: true }).click();
  await ana.getByRole("alert").getByText("submitted").waitFor();
  assert.throws(() => browser?.assertQuiet(), /409/);

  const { token } = await invite(ana, "ben@example.com", "approver");
  await ben.goto(`${service.url}/console#invitation=${token}`);
  await ben.getByLabel("Name").fill("Ben Ode");
  await ben.getByLabel("Password").fill(password);
  await ben.getByRole("button", { name: "Join" }).click();
  await ben.getByRole("link", { name: /flash-4hz/ }).click();
  await ana.getByRole("button", { name: "Cancel" }).click();
  await ana.getByRole("link", { name: "Back to the queue" }).click();
  await ben.getByRole("button", { name: "Decide…" }).click();
  await ben.getByLabel("Reason").fill("The flashes are within what the channel accepts.");
  await ben.getByRole("dialog").getByRole("button", { name: "Approved", exact: true }).click();
  await ben.locator(".badge.approved").waitFor();

  // Nobody loads the list again: it follows.
  await ana.locator(".rows .badge.approved").waitFor();
  browser.assertQuiet();
});

async function chooseFile(page: Page, name: string): Promise<void> {
  const buffer = await readFile(new URL(`../../engine/golden/files/${name}`, import.meta.url));
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose files" }).click();
  await (await choosing).setFiles({ name, mimeType: "video/mp4", buffer });
}

async function invite(page: Page, email: string, role: string): Promise<{ token: string }> {
  return page.evaluate(
    async ({ email, role }) => {
      const response = await fetch("/api/integrations/invitations", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, role }),
      });
      const { url } = (await response.json()) as { url: string };
      return { token: url.slice(url.indexOf("=") + 1) };
    },
    { email, role },
  );
}
