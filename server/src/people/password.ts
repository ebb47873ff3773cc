import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { Failure } from "../failure.ts";

const derive = promisify(argon2);

/** What OWASP recommends for Argon2id: 19 MiB, two passes. */
const memoryKib = 19_456;
const passes = 2;
const tagLength = 32;

const minLength = 12;
const maxLength = 200;

export function checkNewPassword(password: string): void {
  const message =
    password.length < minLength
      ? `has fewer than ${minLength} characters`
      : password.length > maxLength
        ? `has more than ${maxLength} characters`
        : new Set(password).size < 5
          ? "repeats a few characters only"
          : undefined;
  if (message)
    throw new Failure("invalid_request", `The password ${message}. Choose another one.`, {
      details: [{ path: "password", message }],
    });
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await inTurn(() => hashWith(password, { salt, memory: memoryKib, passes }));
  const encode = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${encode(salt)}$${encode(hash)}`;
}

/** Takes as long for an account that does not exist: otherwise the time would reveal which accounts do. */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, memory, rounds, salt = "", hash = ""] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/.exec(stored ?? "") ?? [];
  const options = {
    salt: stored ? Buffer.from(salt, "base64") : Buffer.alloc(16),
    memory: Number(memory ?? memoryKib),
    passes: Number(rounds ?? passes),
  };
  const given = await inTurn(() => hashWith(password, options));
  const expected = Buffer.from(hash, "base64");
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function hashWith(password: string, options: { salt: Buffer; memory: number; passes: number }): Promise<Buffer> {
  const { salt, memory, passes } = options;
  const message = Buffer.from(password.normalize("NFC"), "utf8");
  return derive("argon2id", { message, nonce: salt, parallelism: 1, tagLength, memory, passes });
}

const maxAtOnce = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** Two at once: more would take all threads that files are read with, and 19 MiB each. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
