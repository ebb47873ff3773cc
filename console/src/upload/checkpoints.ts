import type { UploadCheckpoint } from "@greenlit/sdk/src/upload-address.ts";

const start = "upload ";

/** The same file as far as a page can tell. */
function keyOf(file: File): string {
  return `${start}${file.size} ${file.lastModified} ${file.name}`;
}

export function checkpointOf(file: File): UploadCheckpoint | undefined {
  const text = localStorage.getItem(keyOf(file));
  return text === null ? undefined : (JSON.parse(text) as UploadCheckpoint);
}

export function keepCheckpoint(file: File, checkpoint: UploadCheckpoint): void {
  localStorage.setItem(keyOf(file), JSON.stringify(checkpoint));
}

export function forgetCheckpoint(file: File): void {
  localStorage.removeItem(keyOf(file));
}

export type Interrupted = { key: string; filename: string; sizeBytes: number; sentBytes: number };

/** Uploads that a closed page left half done. */
export function interruptedUploads(): Interrupted[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(start))
    .map((key) => {
      const { filename, sizeBytes, blockBytes, blocks } = JSON.parse(
        localStorage.getItem(key) ?? "{}",
      ) as UploadCheckpoint;
      return { key, filename, sizeBytes, sentBytes: Math.min(sizeBytes, blocks.length * blockBytes) };
    });
}

export function forgetInterrupted(key: string): void {
  localStorage.removeItem(key);
}
