import assert from "node:assert/strict";
import { test } from "node:test";
import { findAnalysisParts, refuseOpenJail } from "./analysis-parts.ts";
import { ConfigError, readConfig } from "./config.ts";

const production = { DATABASE_URL: "postgres://db.example/greenlit" };

test("a worker with a real database refuses to start without a jail, and says what to install", () => {
  const { config } = readConfig(production);

  assert.throws(
    () => refuseOpenJail({ isolatesNetwork: false }, config),
    (error: Error) => error instanceof ConfigError && /bubblewrap.*GREENLIT_ALLOW_NO_JAIL=true/.test(error.message),
  );
});

test("it starts with a jail, with permission to go without, and on a local machine", () => {
  const allowed = readConfig({ ...production, GREENLIT_ALLOW_NO_JAIL: "true" }).config;

  refuseOpenJail({ isolatesNetwork: true }, readConfig(production).config);
  refuseOpenJail({ isolatesNetwork: false }, allowed);
  refuseOpenJail({ isolatesNetwork: false }, readConfig({}).config);
});

test("the banner names decoder, jail and models", async () => {
  const parts = await findAnalysisParts(readConfig({}).config);

  assert.match(parts.decoder, /ffmpeg|node-av/);
  assert.match(parts.jail, /bubblewrap|unshare|plain child/);
  assert.notEqual(parts.models, "");
});
