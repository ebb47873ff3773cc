import type { KeyObject } from "node:crypto";
import { openEnvelope, type Envelope } from "./dsse.ts";
import { parseStatement, type Statement } from "./statement.ts";

export const trustStates = ["VALID", "EXPIRED", "REVOKED", "UNTRUSTED"] as const;
export type Trust = (typeof trustStates)[number];

/**
 * `IDENTICAL`: byte for byte what was cleared. `NOT_IDENTICAL`: other bytes; whether they show the same is for a person
 * to judge, so it is never called the same.
 */
export const fileMatches = ["IDENTICAL", "NOT_IDENTICAL"] as const;
export type FileMatch = (typeof fileMatches)[number];

export type Verification = {
  trust: Trust;
  /** Why it is not valid, for people; null where it is. */
  reason: string | null;
  /** Null: no file was given, or the certificate cannot be trusted. */
  file: FileMatch | null;
  /** Null: nothing of what it says can be trusted. */
  statement: Statement | null;
};

/** Checks a certificate, and whether a file is the one it is about. Needs no service and no database. */
export function verifyCertificate(
  envelope: Envelope,
  options: { keys: ReadonlyMap<string, KeyObject>; now: Date; sha256?: string | undefined; isRevoked?: boolean },
): Verification {
  const opened = openEnvelope(envelope, options.keys);
  const statement = opened && parseStatement(opened.payload);
  if (!statement)
    return {
      trust: "UNTRUSTED",
      reason: opened
        ? "It is signed by a known key, but it is no clearance certificate."
        : "None of the known keys signed this: it was changed, or it is from somebody else.",
      file: null,
      statement: null,
    };
  const [subject] = statement.subject;
  const file =
    options.sha256 === undefined
      ? null
      : options.sha256.toLowerCase() === subject.digest.sha256
        ? "IDENTICAL"
        : "NOT_IDENTICAL";
  const { expiresAt } = statement.predicate;
  if (options.isRevoked) return { trust: "REVOKED", reason: "It was revoked.", file, statement };
  if (new Date(expiresAt) <= options.now)
    return { trust: "EXPIRED", reason: `It expired on ${expiresAt.slice(0, 10)}.`, file, statement };
  return { trust: "VALID", reason: null, file, statement };
}
