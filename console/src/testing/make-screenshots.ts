import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findChromium } from "@greenlit/sdk/src/testing/find-runtimes.ts";
import { chromium, type BrowserContext, type Page } from "playwright-core";

/** `npm run screenshots`: makes the pictures of docs/console.md. Needs ffmpeg with drawtext and WebP, and Chromium. */
const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const pictures = join(root, "docs/console");
const golden = join(root, "engine/golden/files");

const folder = await mkdtemp(join(tmpdir(), "greenlit-screenshots-"));
const made = join(folder, "made");
// Started by root, PostgreSQL runs as somebody else, who must reach its folder.
await chmod(folder, 0o755);
const { service, setupUrl } = await startService(join(folder, "data"));
const queueUrl = `${new URL(setupUrl).origin}/console`;
const browser = await chromium.launch({ executablePath: (await findChromium()) ?? "chromium", args: ["--no-sandbox"] });
try {
  const films = await Promise.all([makeFilm(1, "29.9"), makeFilm(2, "19.9")]);
  await mkdir(made);
  await takeAll(films);
  await cp(made, pictures, { recursive: true });
} finally {
  await browser.close();
  service.kill("SIGINT");
  await once(service, "exit");
  await rm(folder, { recursive: true, force: true });
}

async function takeAll([first = "", second = ""]: string[]): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  await page.goto(setupUrl);
  await page.getByLabel("Email").fill("ana@example.com");
  await page.getByLabel("Name").fill("Ana Lima");
  await page.getByLabel("Password").fill("correct horse battery staple");
  await page.getByRole("button", { name: "Create account" }).click();
  await upload(page, [first], { isVersion: false });
  await isShown(page, "northwind-savings_v1");
  const others = ["claims.pdf", "flash-4hz.mp4", "loud-14.mp3"].map((name) => join(golden, name));
  await upload(page, [second, ...others], { isVersion: true });
  for (const name of ["northwind-savings_v2", "claims", "flash-4hz"]) await isShown(page, name);
  await page.locator(".in-progress").waitFor({ state: "detached" });
  await page.goto(queueUrl);
  await row(page, "loud-14").waitFor();
  await take(page, "queue");

  await row(page, "northwind-savings_v2").click();
  await page.locator(".finding").first().waitFor();
  await page.locator("video").waitFor();
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  await page.locator(".finding.selected .frame").waitFor();
  await take(page, "review");

  await page.getByRole("link", { name: "All markets" }).click();
  await page.locator(".matrix, table").first().waitFor();
  await take(page, "markets");
  await page.goBack();
  await page.locator("video").waitFor();

  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("button", { name: "Compare" }).click();
  await page.locator(".pair video").nth(1).waitFor();
  await page.getByRole("button", { name: "Wipe" }).click();
  await page.getByRole("slider", { name: "other version" }).fill("46");
  await take(page, "compare");

  await page.goto(`${queueUrl}/rules`);
  await page.getByText("Try a text").click();
  await page.getByRole("textbox", { name: "Text" }).fill("Guaranteed returns of 12 % a year. No risk to your capital.");
  await page.locator(".tried").first().waitFor();
  await take(page, "rules");

  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(queueUrl);
  await row(page, "claims").click();
  await page.locator(".paper img").first().waitFor();
  await page.keyboard.press("n");
  await take(page, "document");

  await takeSmall(context);
}

async function takeSmall(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 375, height: 760 });
  await page.goto(queueUrl);
  await row(page, "northwind-savings_v2").click();
  await page.locator(".finding").first().waitFor();
  await page.keyboard.press("n");
  await page.locator(".finding.selected").waitFor();
  await take(page, "small");
}

/** A list never moves by itself under the pointer: it is opened again until the asset is there with its picture. */
async function isShown(page: Page, name: string): Promise<void> {
  const picture = row(page, name).locator(".thumbnail img");
  for (let isThere = false; !isThere;) {
    // Files on their way would be cut off.
    await page.waitForFunction(() => document.querySelector(".upload-panel li:not(.done)") === null);
    await page.goto(queueUrl);
    isThere = await picture.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
  }
}

function row(page: Page, name: string) {
  return page.locator(".rows a").filter({ hasText: name });
}

async function upload(page: Page, files: string[], { isVersion }: { isVersion: boolean }): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await page.locator(".rail").getByRole("button", { name: "Upload" }).click();
  await (await choosing).setFiles(files);
  const uk = page.getByRole("button", { name: "UK", exact: true });
  await uk.waitFor();
  if ((await uk.getAttribute("aria-pressed")) === "false") await uk.click();
  await page.getByLabel("Channel").selectOption("tv");
  if (isVersion) await page.getByText("New version of").waitFor();
  await page.getByRole("button", { name: "Upload and check" }).click();
}

/** As WebP: a screenshot with a film in it would be ten times as large. */
async function take(page: Page, name: string): Promise<void> {
  const png = join(folder, `${name}.png`);
  await page.waitForFunction(
    () =>
      [...document.images].every(({ complete, loading }) => complete || loading === "lazy") &&
      [...document.querySelectorAll("video")].every(({ readyState, seeking }) => readyState >= 2 && !seeking),
  );
  await page.screenshot({ path: png });
  await run("ffmpeg", ["-v", "error", "-y", "-i", png, "-quality", "82", join(made, `${name}.webp`)]);
}

/** An advertisement that promises too much, in a version whose figure is its only difference. */
async function makeFilm(version: number, percent: string): Promise<string> {
  const file = join(folder, `northwind-savings_v${version}.mp4`);
  const text = (words: string, options: string) =>
    `drawtext=font=DejaVu Sans:expansion=none:text='${words}':fontcolor=white:x=(w-tw)/2:${options}`;
  const filters = [
    text("Northwind Savings", "fontsize=64:y=150"),
    text(`Earn ${percent} % every year`, "fontsize=56:y=320:enable='between(t,1,9)'"),
    text("Guaranteed returns. No risk to your capital.", "fontsize=40:y=430:enable='between(t,3,10)'"),
    text("Terms apply. See northwind.example", "fontsize=14:y=680:enable='between(t,3,4.2)'"),
  ].join(",");
  const sound = "0.25*sin(2*PI*(220+60*floor(t*2))*t)*exp(-3*mod(t,0.5))";
  const picture = "gradients=size=1280x720:rate=25:duration=12:c0=0x0b7285:c1=0x102a43:speed=0.02:seed=7";
  await run("ffmpeg", [
    ..."-v error -y -f lavfi -i".split(" "),
    picture,
    ..."-f lavfi -i".split(" "),
    `aevalsrc='${sound}':d=12`,
    "-vf",
    filters,
    ..."-c:v libx264 -preset veryfast -pix_fmt yuv420p -c:a aac".split(" "),
    file,
  ]);
  return file;
}

async function startService(dataFolder: string): Promise<{ service: ChildProcess; setupUrl: string }> {
  const child = spawn(process.execPath, [join(root, "cli/src/main.ts"), "serve"], {
    cwd: root,
    env: { ...process.env, GREENLIT_DATA_DIR: dataFolder, GREENLIT_PORT: "8089", GREENLIT_STORE_PORT: "8090" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\S+#setup=\S+/.exec(line) ?? [];
    if (url !== undefined) return { service: child, setupUrl: url };
  }
  throw new Error("The service did not start.");
}
