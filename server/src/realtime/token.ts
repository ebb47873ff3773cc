import { createHmac, timingSafeEqual } from "node:crypto";

/** What a token allows: to connect to one channel until it expires, as the key (or the session: `holderOf`) that asked. */
export type TokenGrant = { workspaceId: string; keyId: string; channel: string };

export type Tokens = {
  issue(grant: TokenGrant): { token: string; expiresAt: Date };
  /** Undefined when the token is not ours, was altered or has expired. */
  read(token: string): TokenGrant | undefined;
};

const lifetimeMs = 5 * 60_000;

/** Signed, not stored: every process of the deployment has the same key. */
export function createTokens({ key, now }: { key: Buffer; now: () => Date }): Tokens {
  const sign = (payload: string) => createHmac("sha256", key).update(payload).digest();
  return {
    issue({ workspaceId, keyId, channel }) {
      const expiresAt = new Date(now().getTime() + lifetimeMs);
      const payload = Buffer.from(JSON.stringify([workspaceId, keyId, channel, expiresAt.getTime()])).toString(
        "base64url",
      );
      return { token: `rt_${payload}.${sign(payload).toString("base64url")}`, expiresAt };
    },
    read(token) {
      const [, payload, signature] = /^rt_([\w-]{1,1000})\.([\w-]{43})$/.exec(token) ?? [];
      if (payload === undefined || signature === undefined) return undefined;
      const given = Buffer.from(signature, "base64url");
      if (given.length !== 32 || !timingSafeEqual(given, sign(payload))) return undefined;
      const [workspaceId, keyId, channel, expiresAt] = JSON.parse(Buffer.from(payload, "base64url").toString()) as [
        string,
        string,
        string,
        number,
      ];
      return expiresAt > now().getTime() ? { workspaceId, keyId, channel } : undefined;
    },
  };
}
