import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** A signed payload as DSSE 1.0 has it (https://github.com/secure-systems-lab/dsse). */
export type Envelope = {
  payloadType: string;
  /** In base64. */
  payload: string;
  signatures: { keyid: string; sig: string }[];
};

export const statementType = "application/vnd.in-toto+json";

export function signEnvelope(payload: string, key: { keyId: string; privateKey: KeyObject }): Envelope {
  const body = Buffer.from(payload, "utf8");
  const sig = sign(null, encodeForSigning(statementType, body), key.privateKey).toString("base64");
  return { payloadType: statementType, payload: body.toString("base64"), signatures: [{ keyid: key.keyId, sig }] };
}

/** The payload and the key that signed it; undefined when none of these keys did. Nothing of the payload is read before. */
export function openEnvelope(
  envelope: Envelope,
  keys: ReadonlyMap<string, KeyObject>,
): { payload: string; keyId: string } | undefined {
  if (envelope.payloadType !== statementType) return undefined;
  const body = Buffer.from(envelope.payload, "base64");
  // Buffer.from accepts invalid base64: two texts would then be one payload.
  if (body.toString("base64") !== envelope.payload) return undefined;
  for (const { keyid, sig } of envelope.signatures) {
    const key = keys.get(keyid);
    if (key && verify(null, encodeForSigning(envelope.payloadType, body), key, Buffer.from(sig, "base64")))
      return { payload: body.toString("utf8"), keyId: keyid };
  }
  return undefined;
}

/** The pre-authentication encoding: lengths before texts, so that no two pairs read the same. */
function encodeForSigning(payloadType: string, body: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `;
  return Buffer.concat([Buffer.from(head, "utf8"), body]);
}

/** Names a public key: the same key has the same name everywhere. */
export function keyIdOf(publicKey: KeyObject): string {
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("hex");
}

export type PublishedKeys = { keys: { keyid: string; publicKey: string }[] };

/** Published keys by their names. One whose name is not that of its bytes is left out: it could stand for another. */
export function readPublishedKeys({ keys }: PublishedKeys): Map<string, KeyObject> {
  return new Map(
    keys.flatMap(({ keyid, publicKey }) => {
      const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
      return key.asymmetricKeyType === "ed25519" && keyIdOf(key) === keyid ? [[keyid, key] as const] : [];
    }),
  );
}
