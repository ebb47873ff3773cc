import { createHash } from "node:crypto";
import { sql, type Kysely } from "kysely";
import type { App } from "../app.ts";
import type { Tables } from "../db/tables.ts";
import { Failure } from "../failure.ts";

/** A request that its caller may send again and expects to be carried out once. */
export type IdempotentRequest = { keyId: string; idempotencyKey: string; requestHash: Buffer };

export type KeptAnswer = { status: number; body: unknown };

/** Thrown inside a transaction when another process has just answered the same request. */
export class AlreadyAnswered extends Error {
  override name = "AlreadyAnswered";
  readonly answer: KeptAnswer;

  constructor(answer: KeptAnswer) {
    super("the request was answered already");
    this.answer = answer;
  }
}

const keptMs = 24 * 60 * 60 * 1000;

export function idempotentRequest(options: {
  keyId: string;
  idempotencyKey: string;
  method: string;
  path: string;
  body: unknown;
}): IdempotentRequest {
  const { keyId, idempotencyKey, method, path, body } = options;
  if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey))
    throw new Failure(
      "invalid_request",
      "The Idempotency-Key must be 1 to 255 printable ASCII characters, such as a UUID.",
      {
        details: [{ path: "Idempotency-Key", message: "must be 1 to 255 printable ASCII characters" }],
      },
    );
  const requestHash = createHash("sha256")
    .update(`${method}\n${path}\n${canonical(body)}`)
    .digest();
  return { keyId, idempotencyKey, requestHash };
}

/** The answer that the same request got before, or undefined; a 422 when the key was used for another request. */
export async function findAnswer(app: App, request: IdempotentRequest): Promise<KeptAnswer | undefined> {
  return readAnswer(app, app.db, request);
}

/**
 * The first step of the transaction that carries the request out: of two at once, one goes on and the other gets a
 * 409. The lock ends with the transaction, so a process that dies leaves nothing locked.
 */
export async function beginIdempotent(app: App, trx: Kysely<Tables>, request: IdempotentRequest): Promise<void> {
  const name = `idempotency ${request.keyId} ${request.idempotencyKey}`;
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 11)) as locked`.execute(trx);
  if (!rows[0]?.locked)
    throw new Failure(
      "idempotency_in_progress",
      "A request with this Idempotency-Key is still being processed. Try again in a moment.",
    );
  const answer = await readAnswer(app, trx, request);
  if (answer) throw new AlreadyAnswered(answer);
}

/** The last step: the answer commits together with what it describes. */
export async function keepAnswer(
  app: App,
  trx: Kysely<Tables>,
  options: { request: IdempotentRequest; answer: KeptAnswer },
): Promise<void> {
  const { request, answer } = options;
  const row = {
    requestHash: request.requestHash,
    status: answer.status,
    answer: app.vault.encrypt(JSON.stringify(answer.body)),
    createdAt: app.now(),
  };
  await trx
    .insertInto("idempotentAnswers")
    .values({ keyId: request.keyId, idempotencyKey: request.idempotencyKey, ...row })
    .onConflict((conflict) => conflict.columns(["keyId", "idempotencyKey"]).doUpdateSet(row))
    .execute();
}

export async function sweepAnswers(app: App): Promise<void> {
  await app.db
    .deleteFrom("idempotentAnswers")
    .where("createdAt", "<", new Date(app.now().getTime() - keptMs))
    .execute();
}

async function readAnswer(app: App, db: Kysely<Tables>, request: IdempotentRequest): Promise<KeptAnswer | undefined> {
  const row = await db
    .selectFrom("idempotentAnswers")
    .select(["requestHash", "status", "answer"])
    .where("keyId", "=", request.keyId)
    .where("idempotencyKey", "=", request.idempotencyKey)
    .where("createdAt", ">", new Date(app.now().getTime() - keptMs))
    .executeTakeFirst();
  if (!row) return undefined;
  if (!row.requestHash.equals(request.requestHash))
    throw new Failure(
      "idempotency_key_reused",
      "This Idempotency-Key was used for another request in the last 24 hours. Use a new key for a new request.",
      { details: [{ path: "Idempotency-Key", message: "was used for another request" }] },
    );
  return { status: row.status, body: JSON.parse(app.vault.decrypt(row.answer)) as unknown };
}

/** The same JSON value gives the same text, in whatever order its properties were written. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ""
  );
}
