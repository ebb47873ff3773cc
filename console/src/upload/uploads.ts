import { signal } from "@preact/signals";
import { ApiError } from "@greenlit/sdk/src/errors.ts";
import { greenlit, messageOf } from "../api/client.ts";
import { checkpointOf, forgetCheckpoint, keepCheckpoint } from "./checkpoints.ts";
import type { Context } from "./context.ts";

export type Upload = {
  id: number;
  file: File;
  state: "waiting" | "sending" | "submitting" | "done" | "failed";
  sentBytes: number;
  bytesPerSecond: number;
  error: string;
  submissionId: string;
  assetId: string;
  previousSubmissionId: string | undefined;
  context: Context;
  stop: AbortController;
};

/** Files are sent two at a time; each has four blocks on the way. */
const maxAtOnce = 2;

export const uploads = signal<Upload[]>([]);
/** Rises with each submission, so that lists look again. */
export const submittedCount = signal(0);
let lastId = 0;

export function startUpload(
  file: File,
  options: { context: Context; previousSubmissionId?: string | undefined },
): void {
  const { context, previousSubmissionId } = options;
  const upload: Upload = {
    id: ++lastId,
    file,
    state: "waiting",
    sentBytes: 0,
    bytesPerSecond: 0,
    error: "",
    submissionId: "",
    assetId: "",
    previousSubmissionId,
    context,
    stop: new AbortController(),
  };
  uploads.value = [...uploads.value, upload];
  sendNext();
}

export function cancelUpload(id: number): void {
  find(id)?.stop.abort();
  uploads.value = uploads.value.filter((upload) => upload.id !== id);
}

export function retryUpload(id: number): void {
  const upload = find(id);
  if (!upload) return;
  const { file, context, previousSubmissionId } = upload;
  cancelUpload(id);
  startUpload(file, { context, previousSubmissionId });
}

export function clearDone(): void {
  uploads.value = uploads.value.filter(({ state }) => state !== "done");
}

function find(id: number): Upload | undefined {
  return uploads.value.find((upload) => upload.id === id);
}

function change(id: number, changes: Partial<Upload>): void {
  uploads.value = uploads.value.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload));
}

function sendNext(): void {
  const running = uploads.value.filter(({ state }) => state === "sending" || state === "submitting").length;
  const next = uploads.value.find(({ state }) => state === "waiting");
  if (next && running < maxAtOnce) void send(next).finally(sendNext);
}

async function send({ id, file, context, previousSubmissionId, stop }: Upload): Promise<void> {
  change(id, { state: "sending" });
  const startedAt = performance.now();
  let firstBytes: number | undefined;
  try {
    const resume = checkpointOf(file);
    const { blobPath } = await greenlit.upload(file, {
      signal: stop.signal,
      ...(resume && { resume }),
      onCheckpoint: (checkpoint) => keepCheckpoint(file, checkpoint),
      onProgress: ({ sentBytes }) => {
        // What an earlier page sent says nothing about the speed of this one.
        firstBytes ??= sentBytes;
        const seconds = (performance.now() - startedAt) / 1000;
        change(id, { sentBytes, bytesPerSecond: seconds > 0 ? (sentBytes - firstBytes) / seconds : 0 });
      },
    });
    change(id, { state: "submitting" });
    const created = await greenlit.submissions.create({
      assets: [{ blobPath, ...(previousSubmissionId !== undefined && { previousSubmissionId }) }],
      metadata: context,
    });
    forgetCheckpoint(file);
    change(id, { state: "done", submissionId: created.submissionId, assetId: created.assets[0]?.assetId ?? "" });
    submittedCount.value += 1;
  } catch (error) {
    if (stop.signal.aborted) return forgetCheckpoint(file);
    change(id, { state: "failed", error: refusalOf(error) });
  }
}

/** The service lists types for programs; people know files. */
function refusalOf(error: unknown): string {
  return error instanceof ApiError && error.code === "content_type_not_allowed"
    ? "Greenlit does not read files of this kind. Send a film, a sound, a picture, a PDF, an Office file or plain text."
    : messageOf(error);
}

// Leaving would cut off what is on its way.
addEventListener("beforeunload", (event) => {
  if (uploads.value.some(({ state }) => state === "sending" || state === "submitting")) event.preventDefault();
});
