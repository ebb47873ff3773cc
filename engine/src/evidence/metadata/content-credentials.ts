import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ContentCredentials } from "../evidence.ts";
import { isMachineMade } from "../../machine-made.ts";
import { matchesBmffHash } from "./confirm-bmff-hash.ts";
import { matchesDataHash } from "./confirm-hash.ts";

/** Types that the library reads, by the names it knows them under. */
const readable: Readonly<Record<string, string>> = {
  "image/jpeg": "image/jpeg",
  "image/png": "image/png",
  "image/webp": "image/webp",
  "image/gif": "image/gif",
  "image/tiff": "image/tiff",
  "image/avif": "image/avif",
  "image/heic": "image/heic",
  "video/mp4": "video/mp4",
  "video/quicktime": "video/quicktime",
  "video/x-msvideo": "video/avi",
  "audio/mpeg": "audio/mpeg",
  "audio/mp4": "audio/mp4",
  "audio/x-m4a": "audio/mp4",
  "audio/wav": "audio/wav",
  "audio/x-wav": "audio/wav",
};

/** Credentials stand at the start or the end of large files; small ones are searched whole. */
const searchBytes = 32 * 2 ** 20;
const maxActions = 100;
const maxProblems = 50;

/** `isUnread`: the file has credentials, in a form that is not read here. */
export type FoundCredentials = { credentials: ContentCredentials | null; isUnread: boolean };

/** The C2PA credentials, checked offline. */
export async function readCredentials(file: string, contentType: string): Promise<FoundCredentials> {
  const format = readable[contentType];
  const descriptor = openSync(file, "r");
  try {
    const sizeBytes = fstatSync(descriptor).size;
    const mentions = (label: string) => isMentioned(descriptor, { sizeBytes, label });
    if (format !== undefined) {
      const credentials = mentions("c2pa") ? await verify(format, { descriptor, sizeBytes }) : null;
      return { credentials, isUnread: false };
    }
    // Four letters stand in many a large file by chance: here the name of the box or of the attachment must be there.
    return {
      credentials: null,
      isUnread: mentions("C2PA_Manifest") || (mentions("jumdc2pa") && mentions("c2pa.claim")),
    };
  } finally {
    closeSync(descriptor);
  }
}

type Mention = { sizeBytes: number; label: string };

function isMentioned(descriptor: number, { sizeBytes, label }: Mention): boolean {
  const search = (from: number, to: number) => includesAt(descriptor, { from, to, label });
  if (sizeBytes <= 2 * searchBytes) return search(0, sizeBytes);
  return search(0, searchBytes) || search(sizeBytes - searchBytes, sizeBytes);
}

/** By a megabyte at a time: held at once, what is searched would be most of the memory that a film takes. */
function includesAt(descriptor: number, { from, to, label }: { from: number; to: number; label: string }): boolean {
  const piece = Buffer.alloc(Math.min(2 ** 20, to - from));
  // The label may lie across two pieces.
  const step = Math.max(1, piece.length - label.length + 1);
  for (let offset = from; offset < to; offset += step) {
    const filled = readInto(descriptor, piece.subarray(0, to - offset), offset);
    if (piece.subarray(0, filled).includes(label)) return true;
  }
  return false;
}

async function verify(
  format: string,
  { descriptor, sizeBytes }: { descriptor: number; sizeBytes: number },
): Promise<ContentCredentials | null> {
  const blob = fileBlob(descriptor, 0, sizeBytes);
  // Most files mention no credentials: only those that do pay for loading the library.
  const { initSync, WasmReader } = await import("@contentauth/c2pa-wasm");
  installRuntime();
  initSync({ module: readFileSync(fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm"))) });
  const settings = JSON.stringify({ verify: { remote_manifest_fetch: false, ocsp_fetch: false, verify_trust: false } });
  let store: ManifestStore;
  let report: unknown;
  try {
    const reader = await WasmReader.fromBlob(format, blob, settings);
    store = JSON.parse(reader.json()) as ManifestStore;
    if (hashChecks.some(({ fault }) => hasFault(store, fault))) report = JSON.parse(reader.crJson());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The four letters were found, but no manifest: a mere mention.
    if (/no JUMBF|JumbfNotFound|ProvenanceMissing|could not find|not found/i.test(reason)) return null;
    return { ...nothingKnown, problems: [reason.slice(0, 200)] };
  }
  const read = (offset: number, length: number) => readAt(descriptor, offset, length);
  const file = { activeLabel: store.active_manifest, sizeBytes, read };
  let isChangeConfirmed = false;
  for (const { fault, matches } of hashChecks.filter((check) => hasFault(store, check.fault))) {
    const isMatching = matches(report, file);
    if (isMatching === true) store = withoutFaults(store, fault);
    if (isMatching === false) isChangeConfirmed = true;
  }
  return { ...describe(store), ...(isChangeConfirmed && { isChangeConfirmed }) };
}

/** The library refuses ranges that other writers declare: where our own computation agrees with the signer, it is right. */
const hashChecks = [
  { fault: /^assertion\.dataHash\.(?:mismatch|malformed)/, matches: matchesDataHash },
  { fault: /^assertion\.bmffHash\.(?:mismatch|malformed)/, matches: matchesBmffHash },
];

function hasFault({ validation_status = [] }: ManifestStore, fault: RegExp): boolean {
  return validation_status.some(({ code }) => fault.test(code ?? ""));
}

function withoutFaults(store: ManifestStore, fault: RegExp): ManifestStore {
  const left = (store.validation_status ?? []).filter(({ code }) => !fault.test(code ?? ""));
  return { ...store, validation_status: left, ...(left.length === 0 && { validation_state: "Valid" }) };
}

const nothingKnown: ContentCredentials = {
  isValid: false,
  isAiMade: false,
  issuer: null,
  claimGenerator: null,
  actions: [],
  problems: [],
};

type ManifestStore = {
  active_manifest?: string;
  manifests?: Record<string, Manifest>;
  validation_state?: string;
  validation_status?: { code?: string }[];
};

type Manifest = {
  claim_generator?: string;
  claim_generator_info?: { name?: string; version?: string }[];
  signature_info?: { issuer?: string; common_name?: string };
  assertions?: { label?: string; data?: { actions?: Action[] } }[];
};

type Action = { action?: string; digitalSourceType?: string };

/** Signed by nobody we know is no fault of the file: trust is a list that somebody keeps, and none is built in. */
const trustCodes = new Set(["signingCredential.untrusted"]);

function describe(store: ManifestStore): ContentCredentials {
  const manifests = Object.values(store.manifests ?? {});
  const active = store.manifests?.[store.active_manifest ?? ""];
  const [generator] = active?.claim_generator_info ?? [];
  const actionsOf = (manifest: Manifest) =>
    (manifest.assertions ?? []).flatMap(({ label, data }) =>
      label?.startsWith("c2pa.actions") === true && Array.isArray(data?.actions) ? data.actions : [],
    );
  const problems = (store.validation_status ?? []).flatMap(({ code }) => (code === undefined ? [] : [code]));
  return {
    isValid: store.validation_state !== "Invalid" && problems.every((code) => trustCodes.has(code)),
    // Of what went into it as well: a photo with a generated sky is made by a machine in part.
    isAiMade: manifests
      .flatMap(actionsOf)
      .some(({ digitalSourceType }) => isMachineMade(digitalSourceType?.split("/").at(-1) ?? "")),
    issuer: cut(active?.signature_info?.issuer ?? active?.signature_info?.common_name),
    claimGenerator: cut(
      generator?.name === undefined ? active?.claim_generator : `${generator.name} ${generator.version ?? ""}`.trim(),
    ),
    actions: (active === undefined ? [] : actionsOf(active))
      .slice(0, maxActions)
      .flatMap(({ action }) => (typeof action === "string" ? [action.slice(0, 100)] : [])),
    problems: [...new Set(problems)].slice(0, maxProblems),
  };
}

function cut(text: unknown): string | null {
  return typeof text === "string" && text !== "" ? text.slice(0, 300) : null;
}

/** The library asks a browser for pieces of a file; a video of gigabytes must not be in memory for it. */
type FileBlob = { descriptor: number; start: number; size: number };

function fileBlob(descriptor: number, start: number, end: number): Blob {
  const size = Math.max(0, end - start);
  const blob = {
    descriptor,
    start,
    size,
    slice: (from = 0, to = size) => fileBlob(descriptor, start + from, start + Math.min(to, size)),
  };
  return blob as unknown as Blob;
}

function installRuntime(): void {
  function FileReaderSync() {
    return {
      readAsArrayBuffer: (blob: unknown) => {
        const { descriptor, start, size } = blob as FileBlob;
        return Uint8Array.from(readAt(descriptor, start, size)).buffer;
      },
    };
  }
  const refuse = () => Promise.reject(new Error("Nothing is fetched for a foreign file."));
  Object.assign(globalThis, { FileReaderSync, fetch: refuse });
}

function readAt(descriptor: number, offset: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readInto(descriptor, buffer, offset));
}

function readInto(descriptor: number, buffer: Buffer, offset: number): number {
  let filled = 0;
  while (filled < buffer.length) {
    const count = readSync(descriptor, buffer, filled, buffer.length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}
