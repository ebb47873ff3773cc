import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ConfigError, describeSettings, readConfig } from "./config.ts";
import { renderSettings } from "./render-settings.ts";

test("the defaults are those of the manual", () => {
  const { config } = readConfig({});

  assert.deepEqual(
    [config.port, config.storePort, config.host, config.metricsPort],
    [8080, 8081, "127.0.0.1", undefined],
  );
  assert.ok(config.dataDir.endsWith("/data"));
});

for (const [variable, value, right] of [
  ["GREENLIT_PORT", "http", "a port number from 0 to 65535"],
  ["GREENLIT_PORT", "65536", "a port number from 0 to 65535"],
  ["GREENLIT_STORE", "floppy", "one of folder, azure, s3"],
  ["GREENLIT_STORE_SHARED", "yes", "true, false, 1 or 0"],
  ["GREENLIT_DRAIN_TIMEOUT", "30", "a duration like 90s, 15m, 24h or 30d"],
  ["GREENLIT_RETENTION_MEDIA", "999999999d", "a duration like 90s, 15m, 24h or 30d"],
  ["GREENLIT_PUBLIC_URL", "greenlit.example", "a URL that begins with http:// or https://"],
  ["GREENLIT_LOG_SAMPLE", "2", "a number from 0 to 1"],
] as const)
  test(`${variable}=${value} is refused: it names the variable, the value and what would be right`, () => {
    assert.throws(
      () => readConfig({ [variable]: value }),
      (error: Error) =>
        error instanceof ConfigError && error.message === `${variable} is "${value}", but must be ${right}.`,
    );
  });

test("a timeout longer than a timer can wait is as long as one can", () => {
  const { config } = readConfig({ GREENLIT_ANALYSIS_TIMEOUT: "30d", GREENLIT_DRAIN_TIMEOUT: "25d" });

  assert.deepEqual([config.analysisTimeout, config.drainTimeout], [2 ** 31 - 1, 2 ** 31 - 1]);
});

test("all mistakes are named at once, and a secret is never repeated", () => {
  assert.throws(
    () => readConfig({ GREENLIT_PORT: "x", GREENLIT_SECRET_KEY: "hunter2", DATABASE_URL: "mysql://u:p@h/d" }),
    ({ message }: Error) =>
      /GREENLIT_PORT.*GREENLIT_SECRET_KEY|DATABASE_URL/s.test(message) && !/hunter2|u:p/.test(message),
  );
});

test("an unknown variable is a warning that names the nearest known one", () => {
  const { warnings } = readConfig({ GREENLIT_PROT: "1", GREENLIT_TEST_DATABASE_URL: "x" });

  assert.deepEqual(warnings, ["GREENLIT_PROT is not a known variable and is ignored. Did you mean GREENLIT_PORT?"]);
});

test("docs/operating.md has every variable, as this code describes it", () => {
  const manual = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8");

  assert.ok(manual.includes(renderSettings()), "Run: npm run docs");
  assert.ok(describeSettings().length > 20);
  for (const row of renderSettings().split("\n")) assert.equal(row.split(/(?<!\\)\|/).length, 6, row);
});
