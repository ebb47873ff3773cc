import { Failure } from "../failure.ts";
import { findInexactNumber } from "./exact-numbers.ts";

const deepest = 64;

/**
 * Parses a request body, and refuses what PostgreSQL cannot store: NUL, half of a surrogate pair and endless nesting.
 * Strings at the paths of `checkedByRoute` may hold a NUL, because the route has an error of its own for it.
 */
export function parseJsonBody(bytes: Buffer, checkedByRoute: readonly string[] = []): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw unfit("is not valid JSON in UTF-8");
  }
  checkJson(value);
  const inexact = findInexactNumber(text);
  if (inexact !== undefined)
    throw unfit("has a number that cannot be kept as it was sent; send it as a string", inexact);
  if (bytes.includes(String.raw`\u0000`) && hasNul(value, { checkedByRoute }))
    throw unfit("has a NUL character in a string");
  return value;
}

/** `path` is a JSON pointer with `*` for the position in a list. */
function hasNul(value: unknown, place: { checkedByRoute: readonly string[]; path?: string }): boolean {
  const { checkedByRoute, path = "" } = place;
  if (typeof value === "string") return value.includes("\0") && !checkedByRoute.includes(path);
  if (Array.isArray(value)) return value.some((item) => hasNul(item, { checkedByRoute, path: `${path}/*` }));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, item]) =>
      key.includes("\0") || hasNul(item, { checkedByRoute, path: `${path}/${key.replaceAll("/", "~1")}` }),
  );
}

function checkJson(root: unknown): void {
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw unfit(`is nested more than ${deepest} deep`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === "string") checkString(value);
      else if (Array.isArray(value)) for (const item of value) next.push(item);
      else if (typeof value === "object" && value !== null)
        for (const [key, item] of Object.entries(value)) {
          checkString(key);
          // An own property of this name replaces the prototype of whatever it is copied into.
          if (key === "__proto__") throw unfit("has a property named __proto__");
          next.push(item);
        }
    }
    level = next;
  }
}

function checkString(value: string): void {
  if (!value.isWellFormed()) throw unfit("has half of a surrogate pair in a string");
}

function unfit(what: string, path = ""): Failure {
  return new Failure(
    "invalid_request",
    `The request body ${what}${path && ` (${path})`}. Correct it and send it again.`,
    {
      details: [{ path, message: what }],
    },
  );
}
