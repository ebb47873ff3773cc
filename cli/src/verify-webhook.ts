import { createHmac, timingSafeEqual } from "node:crypto";

const toleranceSeconds = 5 * 60;
const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** What is wrong with a received webhook, most telling first; empty when it is genuine. `now` undefined: its age does not matter. */
export function verifyWebhook(options: {
  secret: string;
  headers: string;
  body: Buffer;
  now: Date | undefined;
}): string[] {
  const headers = parseHeaders(options.headers);
  const missing = names.filter((name) => !headers.get(name));
  if (missing.length > 0)
    return [
      `The headers lack ${missing.join(" and ")}. A proxy may have dropped them, or this is no Greenlit webhook.`,
    ];

  const [id, timestamp, signatures] = names.map((name) => headers.get(name) ?? "") as [string, string, string];
  const key = keyOf(options.secret);
  if (!key)
    return [
      "The secret is not valid: it must be whsec_ followed by base64, as shown when the subscription was created.",
    ];
  const problems = ageProblem(timestamp, options.now);
  if (fits({ key, id, timestamp, body: options.body, signatures })) return problems;
  return [explainMismatch({ key, secret: options.secret, id, timestamp, body: options.body, signatures }), ...problems];
}

type Parts = { key: Buffer; id: string; timestamp: string; body: Buffer; signatures: string };

function digest({ key, id, timestamp, body }: Omit<Parts, "signatures">): Buffer {
  return createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
}

function fits(parts: Parts): boolean {
  const expected = digest(parts);
  return signaturesOf(parts.signatures).some(
    (given) => given.length === expected.length && timingSafeEqual(given, expected),
  );
}

function signaturesOf(header: string): Buffer[] {
  return header
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => Buffer.from(signature.slice(3), "base64"));
}

/** Tries the mistakes people make, and names the one that explains the signature. */
function explainMismatch(parts: Parts & { secret: string }): string {
  const { secret, body, signatures } = parts;
  if (signaturesOf(signatures).length === 0) return "webhook-signature holds no `v1,…` signature.";
  const given = signatures.split(" ").map((signature) => signature.slice(3));
  if (given.includes(digest(parts).toString("hex")))
    return "The signature is written in hex; Standard Webhooks uses base64.";
  if (
    fits({ ...parts, key: Buffer.from(secret) }) ||
    fits({ ...parts, key: Buffer.from(secret.replace(/^whsec_/, "")) })
  )
    return "It was signed with the text of the secret; the key is what its base64 decodes to.";
  for (const [what, changed] of variantsOf(body))
    if (fits({ ...parts, body: changed }))
      return `The body was altered on its way: ${what}. Verify the raw bytes, before any parsing.`;
  return "The signature fits neither this secret nor this body: the secret is another subscription's or was rotated, or the body was altered.";
}

function variantsOf(body: Buffer): [string, Buffer][] {
  const text = body.toString("utf8");
  const variants: [string, Buffer][] = [
    ["a line break was added at its end", Buffer.from(text.replace(/\r?\n$/, ""))],
    ["a line break at its end was lost", Buffer.from(`${text}\n`)],
    ["a byte order mark was added", Buffer.from(text.replace(/^\uFEFF/, ""))],
  ];
  try {
    variants.push(["it was parsed and serialised again", Buffer.from(JSON.stringify(JSON.parse(text)))]);
  } catch {
    // Not JSON any more; the other variants may still explain it.
  }
  return variants;
}

function ageProblem(timestamp: string, now: Date | undefined): string[] {
  if (!/^\d+$/.test(timestamp)) return ["webhook-timestamp is not a number of seconds."];
  if (!now) return [];
  const age = Math.round(now.getTime() / 1000) - Number(timestamp);
  if (age > toleranceSeconds)
    return [
      `The timestamp is ${age} s old: a replay, or a receiver whose clock is wrong (--ignore-age for an old capture).`,
    ];
  if (age < -toleranceSeconds) return [`The timestamp is ${-age} s in the future: this machine's clock is wrong.`];
  return [];
}

/** The key inside a secret; undefined when it is not one of ours. */
export function keyOf(secret: string): Buffer | undefined {
  const encoded = secret.trim().replace(/^whsec_/, "");
  const key = Buffer.from(encoded, "base64");
  return key.length >= 16 && key.toString("base64").replace(/=+$/, "") === encoded.replace(/=+$/, "") ? key : undefined;
}

function parseHeaders(text: string): Map<string, string> {
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const cut = line.indexOf(":");
      return cut > 0 ? [[line.slice(0, cut).trim().toLowerCase(), line.slice(cut + 1).trim()] as const] : [];
    }),
  );
}
