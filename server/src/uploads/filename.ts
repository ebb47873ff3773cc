import { Failure } from "../failure.ts";
import { findMediaTypesByExtension, type MediaType } from "@greenlit/engine/media-types/media-types.ts";

const maxNameBytes = 255;

type Rule = { isBrokenBy: (name: string) => boolean; message: string };

// What follows a stem does not matter to Windows: "CON.mp4", "con .mp4" and "con:x" all open the console.
const deviceName = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$|clock\$)\s*(?:[.:]|$)/iu;

// White_Space leaves out the zero-width spaces, which a reader of a listing cannot see either.
const spaceOrDot = "[.\\p{White_Space}\\u180E\\u200B\\u2060\\uFEFF]";
const outerSpaceOrDot = new RegExp(`^${spaceOrDot}|${spaceOrDot}$`, "u");

const bidirectionalControl = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

const pathSeparator = /[/\\]/u;

const rules: readonly Rule[] = [
  {
    isBrokenBy: (name) => pathSeparator.test(name),
    message: "contains a slash or backslash; send the bare name, without any folder",
  },
  {
    isBrokenBy: (name) => /\p{Cc}/u.test(name),
    message: "contains a control character; remove it",
  },
  {
    isBrokenBy: (name) => outerSpaceOrDot.test(name),
    message: "begins or ends with a space or a dot; remove them",
  },
  {
    isBrokenBy: (name) => bidirectionalControl.test(name),
    message: "contains a control character for bidirectional text, which can disguise an extension; remove it",
  },
  {
    isBrokenBy: (name) => Buffer.byteLength(name) > maxNameBytes,
    message: `is longer than ${maxNameBytes} bytes in UTF-8; shorten it`,
  },
  {
    isBrokenBy: (name) => deviceName.test(name),
    message: "is the name of a Windows device; choose another",
  },
  {
    isBrokenBy: hidesAPath,
    message: "contains a percent-encoded path or NUL; send the bare name, without encoding",
  },
];

/** The name in NFC: a 422 when it is empty, a 403 when it is not one plain path segment. */
export function parseFilename(raw: string): string {
  if (raw === "") {
    throw new Failure("invalid_request", "The filename is empty. Send the name of the file.", {
      details: [{ path: "filename", message: "must not be empty" }],
    });
  }
  // PostgreSQL, UTF-8 and every store refuse half a surrogate pair, and would do so later, as a 500.
  if (!raw.isWellFormed()) throw invalidFilename("is not valid Unicode (half of a surrogate pair); send it in UTF-8");
  const name = raw.normalize("NFC");
  const broken = rules.find((rule) => rule.isBrokenBy(name));
  if (broken !== undefined) throw invalidFilename(broken.message);
  return name;
}

/** A 403 when what follows the last dot is no extension of the type; a name without a dot fits every type. */
export function checkExtension(filename: string, mediaType: MediaType): void {
  const dot = filename.lastIndexOf(".");
  if (dot === -1) return;
  const extension = filename.slice(dot + 1).toLowerCase();
  if (mediaType.extensions.includes(extension)) return;
  const fitting = findMediaTypesByExtension(extension).map((other) => other.contentType);
  const advice = fitting.length === 0 ? "" : `, or declare ${fitting.join(" or ")} if that is what it is`;
  throw new Failure(
    "invalid_filename",
    `The filename's extension does not fit the content type ${mediaType.contentType}. ` +
      `End the name with ${mediaType.extensions.map((known) => `.${known}`).join(" or ")}, or leave the extension out${advice}.`,
  );
}

/** Splits `<workspace_id>/<filename>`. Whatever is wrong, the 403 is the same, so that it reveals nothing about other workspaces. */
export function parseBlobPath(raw: string, workspaceId: string): { filename: string } {
  const prefix = `${workspaceId}/`;
  try {
    if (raw.startsWith(prefix)) return { filename: parseFilename(raw.slice(prefix.length)) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  throw new Failure(
    "invalid_blob_path",
    "The blob path does not belong to this workspace. Send the blobPath exactly as the upload returned it.",
  );
}

/**
 * Something behind us (a proxy, a CDN, a store's console) may decode a name once more, or twice, and then `..%2fkey`
 * leaves its folder and `a.mp4%00.png` ends early. Only decoded separators, dot segments and NUL count: people do write
 * `50%25 off.mp4` and `5%1080p.mp4`.
 */
function hidesAPath(name: string): boolean {
  let decoded = name;
  for (;;) {
    const next = decodeOnce(decoded);
    if (next === decoded) return false;
    if (pathSeparator.test(next) || next.includes("\0") || next === "." || next === "..") return true;
    decoded = next;
  }
}

// As latin1: only ASCII matters here, and a byte that is no UTF-8 must not hide the separator beside it. The two-byte
// forms are the overlong encodings of "." "/" and "\" that lenient decoders still take.
function decodeOnce(name: string): string {
  return name
    .replaceAll(/%c0%ae|%e0%80%ae/giu, ".")
    .replaceAll(/%c0%af|%e0%80%af/giu, "/")
    .replaceAll(/%c1%9c|%e0%81%9c/giu, "\\")
    .replaceAll(/%u00([0-9a-f]{2})/giu, "%$1")
    .replaceAll(/%([0-9a-f]{2})/giu, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function invalidFilename(message: string): Failure {
  return new Failure("invalid_filename", `The filename ${message}.`);
}
