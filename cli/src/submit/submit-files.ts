import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import type { Context } from "@greenlit/engine/sidekick.ts";
import type { Greenlit } from "@greenlit/sdk/src/client.ts";
import { ApiError, TooLargeError, UnsupportedTypeError } from "@greenlit/sdk/src/errors.ts";
import { recogniseFile, Uncheckable } from "../check/recognise-file.ts";
import { openCheckpoint } from "./checkpoint.ts";

export type SubmittedFiles = { submissionId: string; files: { path: string; assetId: string }[] };

type Options = {
  server: string;
  context: Context | undefined;
  signal: AbortSignal;
  /** Says that this file comes next; what it gives back hears how much of it was sent. */
  onFile: (path: string) => (fraction: number) => void;
  onUncheckable: (path: string, error: Uncheckable) => void;
  idempotencyKey?: string;
  previousSubmissionId?: string | undefined;
};

const maxAssets = 50;

/** Uploads the files and makes one submission of those that can be checked; undefined when none can. */
export async function submitFiles(
  greenlit: Greenlit,
  paths: readonly string[],
  options: Options,
): Promise<SubmittedFiles | undefined> {
  const uploaded: { path: string; blobPath: string }[] = [];
  for (const path of paths) {
    const onProgress = options.onFile(path);
    try {
      uploaded.push({ path, blobPath: await uploadFile(greenlit, path, { ...options, onProgress }) });
    } catch (error) {
      if (!(error instanceof Uncheckable)) throw error;
      options.onUncheckable(path, error);
    }
  }
  if (uploaded.length === 0) return undefined;
  const { idempotencyKey, previousSubmissionId, context, signal } = options;
  const { submissionId, assets } = await greenlit.submissions.create(
    {
      assets: uploaded.map(({ blobPath }) => ({ blobPath, ...(previousSubmissionId && { previousSubmissionId }) })),
      ...(context && { metadata: context }),
    },
    { signal, ...(idempotencyKey !== undefined && { idempotencyKey }) },
  );
  const files = uploaded.map(({ path }, index) => ({ path, assetId: assets[index]?.assetId ?? "" }));
  return { submissionId, files };
}

/** Groups that can be one submission each: a name is the blob path, so two of one name cannot be together. */
export function groupFiles(paths: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const path of new Set(paths)) {
    const fits = (group: string[]) =>
      group.length < maxAssets && !group.some((other) => sameName(basename(other), basename(path)));
    const group = groups.find(fits);
    if (group) group.push(path);
    else groups.push([path]);
  }
  return groups;
}

function sameName(a: string, b: string): boolean {
  return a.normalize("NFC") === b.normalize("NFC");
}

/** What the service will not take is this file's failure: the others are submitted all the same. */
function refuseFile(error: unknown): never {
  if (error instanceof ApiError && (error.code === "invalid_filename" || error instanceof TooLargeError))
    throw new Uncheckable(error.code ?? "upload_refused", error.message);
  if (error instanceof UnsupportedTypeError) throw new Uncheckable("unsupported_media", error.message);
  throw error;
}

async function uploadFile(
  greenlit: Greenlit,
  path: string,
  { server, signal, onProgress }: { server: string; signal: AbortSignal; onProgress: (fraction: number) => void },
): Promise<string> {
  const { contentType } = await recogniseFile(path);
  const checkpoint = await openCheckpoint(path, server);
  const blob = await openAsBlob(path);
  const upload = greenlit.upload(blob, {
    filename: basename(path),
    contentType,
    signal,
    onProgress: ({ sentBytes, totalBytes }) => onProgress(totalBytes === 0 ? 1 : sentBytes / totalBytes),
    onCheckpoint: (newest) => checkpoint.save(newest),
    ...(checkpoint.found && { resume: checkpoint.found }),
  });
  const { blobPath } = await upload.catch(refuseFile);
  checkpoint.remove();
  return blobPath;
}
