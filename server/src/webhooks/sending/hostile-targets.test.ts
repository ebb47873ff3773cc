import assert from "node:assert/strict";
import { test } from "node:test";
import { startDnsServer } from "../../testing/dns-server.ts";
import { startReceiver } from "../../testing/receiver.ts";
import { checkUrl } from "../subscription-url.ts";
import { createGuardedConnector } from "./guarded-connector.ts";
import { createNetworkPolicy } from "./network-policy.ts";
import { createHostResolver } from "./resolve-host.ts";
import { createSender } from "./sender.ts";

/** Hosts that name something inside, in every notation that a URL parser or a resolver might read. */
const hostileHosts = [
  // Loopback and this host.
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.0.1",
  "127.255.255.254",
  "2130706433",
  "0x7f000001",
  "0x7F.1",
  "0x7f.0x0.0x0.0x1",
  "0177.0.0.1",
  "0177.0.0.01",
  "017700000001",
  "127.0.0.0x1",
  "0",
  "0.0.0.0",
  "0x0",
  "00000000",
  "0.1.2.3",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "admin.localhost",
  "a.b.localhost.",
  // Digits that normalise: full-width, circled, mathematical, ideographic dots, soft hyphens, percent.
  "１２７.0.0.1",
  "①②⑦.⓪.⓪.①",
  "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
  "127。0。0。1",
  "127．0．0．1",
  "ｌｏｃａｌｈｏｓｔ",
  "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
  "local\u00adhost",
  "%31%32%37.0.0.1",
  "%6c%6f%63%61%6c%68%6f%73%74",
  // Private, shared, link-local, special.
  "10.0.0.5",
  "10.1",
  "167772165",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "0xc0a80001",
  "192.168.1",
  "100.64.0.1",
  "169.254.1.1",
  "198.18.0.1",
  "192.0.0.1",
  "192.0.2.1",
  "192.88.99.1",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
  // Metadata services.
  "169.254.169.254",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "169.254.43518",
  "169.254.170.2",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "[fd00:ec2::254]",
  "[fd20:ce::254]",
  // IPv6 and what carries IPv4 inside it.
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:169.254.169.254]",
  "[::ffff:8.8.8.8]",
  "[::ffff:0:127.0.0.1]",
  "[::127.0.0.1]",
  "[::7f00:1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::8.8.8.8]",
  "[64:ff9b:1::10.0.0.1]",
  "[2002:7f00:1::]",
  "[2002:a00:5::1]",
  "[2001:0:53aa:64c::1]",
  "[2001:0000:4136:e378:8000:63bf:3fff:fdd2]",
  "[fe80::1]",
  "[fec0::1]",
  "[fc00::1]",
  "[fd12:3456:789a::1]",
  "[ff02::1]",
  "[100::1]",
  "[2001:db8::1]",
  "[2001:10::1]",
  "[2001:20::1]",
  "[3fff::1]",
  "[5f00::1]",
  "[4000::1]",
  "[1::1]",
];

/** Texts that are no address of a receiver at all. */
const hostileUrls = [
  "file:///etc/passwd",
  "ftp://example.com/",
  "gopher://example.com/",
  "javascript:alert(1)",
  "data:text/plain,x",
  "unix:/var/run/docker.sock",
  "https://user@example.com/",
  "https://user:password@example.com/",
  "https://example.com@127.0.0.1/",
  "https://127.0.0.1#@example.com/",
  "https://127.0.0.1\\@example.com/",
  "https://example.com:22/",
  "https://example.com:25/",
  "https://example.com:6379/",
  "https://example.com:0/",
  "https://example.com:65536/",
  "https://[fe80::1%25eth0]/",
  "https://[::1%lo]/",
  "https://[::1/",
  "https://256.256.256.256/",
  "https://1.2.3.4.5/",
  "https:///",
  "https://exa mple.com/",
  "https://example.com/\r\nX-Injected: 1",
  "https://exam\tple.com/",
  "//example.com/",
  "example.com",
  "https://%00.example.com/",
  "",
];

test("a subscription to a hostile target is refused, whatever its notation", () => {
  const config = { webhookAllow: [], webhookHttp: true };
  const urls = [...hostileHosts.map((host) => `https://${host}/hook`), ...hostileUrls];

  const accepted = urls.filter((url) => checkUrl(url, config) === undefined);

  assert.ok(hostileHosts.length + hostileUrls.length > 100);
  assert.deepEqual(accepted, []);
});

test("a public address or name is a good target, on any port that is not another protocol's", () => {
  const config = { webhookAllow: [], webhookHttp: false };
  const urls = [
    "https://example.com",
    "https://example.com./",
    "https://example.com:8443/hook?a=b",
    "https://bücher.example/hook",
    "https://93.184.216.34/",
    "https://[2606:2800:220:1:248:1893:25c8:1946]/",
    "https://localhost.example.com/",
  ];

  assert.deepEqual(
    urls.map((url) => checkUrl(url, config)),
    urls.map(() => undefined),
  );
  assert.match(checkUrl("http://example.com/", config) ?? "", /GREENLIT_WEBHOOK_HTTP/);
});

test("no hostile target is connected to, also when its subscription was somehow stored", async () => {
  await using sender = createSender({ policy: createNetworkPolicy([]), allowHttp: true, now: () => new Date() });
  const urls = hostileHosts.flatMap((host) => [`http://${host}:8080/hook`, `https://${host}/hook`]);

  const attempts = await Promise.all(urls.map((url) => sender.send(messageTo(url))));

  const reached = urls.filter((_, i) => !/is not public|never allowed/.test(attempts[i]?.error ?? ""));
  assert.deepEqual(reached, []);
  assert.equal(
    attempts[urls.indexOf("https://10.0.0.5/hook")]?.error,
    "the address 10.0.0.5 is not public; GREENLIT_WEBHOOK_ALLOW would allow it",
  );
});

test("a port of another protocol is not connected to", async () => {
  await using sender = createSender({
    policy: createNetworkPolicy(["127.0.0.0/8"]),
    allowHttp: true,
    now: () => new Date(),
  });

  const attempt = await sender.send(messageTo("http://127.0.0.1:6379/"));

  assert.equal(attempt.error, "port 6379 is not one that webhooks are sent to");
});

test("a name is refused for what it resolves to, whichever form its address has, and only the operator is told the address", async () => {
  const addresses = [
    "127.0.0.1",
    "10.0.0.5",
    "169.254.169.254",
    "0.0.0.0",
    "::1",
    "::ffff:10.0.0.5",
    "fd00::1",
    "64:ff9b::1",
  ];
  const refusals: { hostname: string; why: string }[] = [];
  await using sender = createSender({
    policy: createNetworkPolicy([]),
    allowHttp: true,
    now: () => new Date(),
    resolveHost: async (name) => [addresses[Number(name.slice(1, 2))] ?? ""],
    onRefused: (refusal) => refusals.push(refusal),
  });

  const attempts = await Promise.all(addresses.map((_, i) => sender.send(messageTo(`https://n${i}.test/`))));

  for (const [i, { error }] of attempts.entries())
    assert.equal(
      error,
      `the host n${i}.test is not allowed: its address is not public; GREENLIT_WEBHOOK_ALLOW would allow it`,
    );
  assert.deepEqual(
    addresses.filter((address) => !refusals.some(({ why }) => why.includes(address))),
    [],
  );
});

test("a name that changes its answer is followed only where it is allowed to lead", async () => {
  await using receiver = await startReceiver((response) => {
    response.setHeader("connection", "close").end();
  });
  const { port } = new URL(receiver.url);
  // 127.0.0.1 stands for a public address here, and 127.0.0.2 for the inside.
  await using dns = await startDnsServer((_name, count) => [count === 1 ? "127.0.0.1" : "127.0.0.2"]);
  await using sender = createSender({
    policy: createNetworkPolicy(["127.0.0.1"]),
    allowHttp: true,
    now: () => new Date(),
    resolveHost: createHostResolver({ servers: [dns.address], hostsFile: "none" }),
  });

  const first = await sender.send(messageTo(`http://rebind.test:${port}/`));
  const second = await sender.send(messageTo(`http://rebind.test:${port}/`));

  assert.equal(first.isSuccess, true);
  assert.equal(
    second.error,
    "the host rebind.test is not allowed: its address is not public; GREENLIT_WEBHOOK_ALLOW would allow it",
  );
  assert.deepEqual(dns.questions, ["rebind.test", "rebind.test"]);
});

test("of several addresses only the allowed ones are tried", async () => {
  await using receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  await using dns = await startDnsServer(() => ["127.0.0.2", "127.0.0.1", "10.0.0.5"]);
  await using sender = createSender({
    policy: createNetworkPolicy(["127.0.0.1/32"]),
    allowHttp: true,
    now: () => new Date(),
    resolveHost: createHostResolver({ servers: [dns.address], hostsFile: "none" }),
  });

  const attempt = await sender.send(messageTo(`http://several.test:${port}/`));

  assert.equal(attempt.isSuccess, true);
  assert.equal(receiver.received.length, 1);
});

test("a socket that ends elsewhere than its lookup said is closed before a byte is sent", async () => {
  await using receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  const policy = createNetworkPolicy([]);
  const isPublic = { isAllowed: true, isInside: false } as const;
  let judged = 0;
  const connect = createGuardedConnector({
    // Says yes to the lookup's answer, as if the address had changed between the check and the connection.
    policy: { judge: (address) => (judged++ === 0 ? isPublic : policy.judge(address)) },
    resolveHost: async () => ["127.0.0.1"],
    connectTimeoutMs: 1000,
    onInside: () => {},
  });

  const error = await new Promise<Error | null>((resolve) =>
    connect({ hostname: "swapped.test", protocol: "http:", port }, (...[error]) => resolve(error)),
  );

  assert.match(error?.message ?? "", /the host swapped\.test is not allowed/);
  assert.equal(receiver.received.length, 0);
});

test("a redirect is a failure and leads nowhere", async () => {
  await using inside = await startReceiver();
  await using receiver = await startReceiver((response) => {
    response.writeHead(307, { location: inside.url }).end();
  });
  await using sender = createSender({
    policy: createNetworkPolicy(["127.0.0.1"]),
    allowHttp: true,
    now: () => new Date(),
  });

  const attempt = await sender.send(messageTo(receiver.url));

  assert.match(attempt.error ?? "", /^answered 307 in \d+ ms; redirects are not followed$/);
  assert.equal(inside.received.length, 0);
});

test("metadata services stay closed in every form of their address, whatever is allowed", () => {
  const forms = [
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::169.254.169.254",
    "::ffff:0:169.254.169.254",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::169.254.169.254",
    "64:ff9b:1:a9fe:a9:fe00::",
    "2002:a9fe:a9fe::1",
    "2001:0:4136:e378:8000:63bf:5601:5601",
    "::ffff:168.63.129.16",
    "64:ff9b::100.100.100.200",
    "fe80::a9fe:a9fe",
  ];
  for (const allowed of ["::/0", "::ffff:0:0/96", "64:ff9b::/32", "2000::/3", "fe80::/10"]) {
    const policy = createNetworkPolicy([allowed]);

    assert.deepEqual(
      forms.filter((form) => policy.judge(form).isAllowed),
      [],
      allowed,
    );
  }
});

for (const url of ["https://@example.com/", "https://:@example.com/", "https://a@example.com/"])
  test(`the address ${url} is refused`, () => {
    assert.match(checkUrl(url, { webhookAllow: [], webhookHttp: false }) ?? "", /user name or password/);
  });

test("metadata services stay closed even where everything is allowed", () => {
  const policy = createNetworkPolicy(["0.0.0.0/0", "::/0"]);

  assert.equal(policy.judge("10.0.0.1").isAllowed, true);
  assert.equal(policy.judge("fd00::1").isAllowed, true);
  assert.equal(policy.judge("169.254.169.254").isAllowed, false);
  assert.equal(policy.judge("fd00:ec2::254").isAllowed, false);
});

function messageTo(url: string) {
  return { url, eventId: "019a8c40-11a1-7e05-9a44-0c2d4e6f8a10", body: "{}", headers: {}, secrets: ["whsec_c2VjcmV0"] };
}
