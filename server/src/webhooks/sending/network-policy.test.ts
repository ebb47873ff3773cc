import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError, readConfig } from "../../config.ts";
import { createNetworkPolicy } from "./network-policy.ts";

test("GREENLIT_WEBHOOK_ALLOW takes networks and addresses of both families", () => {
  const { config } = readConfig({
    GREENLIT_WEBHOOK_ALLOW: "127.0.0.0/8, 10.1.2.3,fd00::/8",
    GREENLIT_WEBHOOK_HTTP: "1",
  });

  const policy = createNetworkPolicy(config.webhookAllow);

  const addresses = ["127.9.9.9", "10.1.2.3", "10.1.2.4", "fd12::1", "fe80::1", "::ffff:127.0.0.1", "8.8.8.8"];
  assert.deepEqual(
    addresses.map((address) => policy.judge(address).isAllowed),
    [true, true, false, true, false, false, true],
  );
  assert.deepEqual(
    [policy.judge("127.9.9.9"), policy.judge("8.8.8.8")],
    [
      { isAllowed: true, isInside: true },
      { isAllowed: true, isInside: false },
    ],
  );
  assert.equal(config.webhookHttp, true);
});

test("nothing is allowed by default", () => {
  const { config } = readConfig({});

  assert.deepEqual([config.webhookAllow, config.webhookHttp], [[], false]);
});

for (const value of [
  "10.0.0.0/33",
  "10.0.0",
  "010.0.0.1",
  "10.0.0.0/8/8",
  "localhost",
  "fd00::/129",
  "10.0.0.0/-1",
  "fe80::1%eth0",
])
  test(`the service does not start with GREENLIT_WEBHOOK_ALLOW=${value}, and says what it takes`, () => {
    assert.throws(
      () => readConfig({ GREENLIT_WEBHOOK_ALLOW: `127.0.0.0/8,${value}` }),
      (error) =>
        error instanceof ConfigError && /comma-separated list of networks like 10\.0\.0\.0\/8/.test(error.message),
    );
  });
