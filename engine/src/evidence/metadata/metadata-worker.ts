import { open, readFile, stat } from "node:fs/promises";
import { serveWorker } from "../../jail/serve-worker.ts";
import { asCorruptDocument } from "../documents/corrupt-document-error.ts";
import { readCredentials } from "./content-credentials.ts";
import type { MetadataEvidence } from "../evidence.ts";
import { collectMetadata } from "./metadata-collector.ts";
import type { MetadataRequest } from "./metadata.ts";

await serveWorker<MetadataRequest, MetadataEvidence>(async ({ contentType, format }, { file }) => {
  const found = collectMetadata({ namesWords: format === "image" || format === "media" });
  if (format === "image") {
    const { readImageMetadata } = await import("./image-metadata.ts");
    await readImageMetadata(file, await readFile(file), found);
  } else if (format === "pdf") {
    await (await import("./document-metadata.ts")).readPdfMetadata(file, found).catch(asCorruptDocument);
  } else if (format === "office") {
    await (await import("./document-metadata.ts")).readOfficeMetadata(file, found).catch(asCorruptDocument);
  } else {
    const { readMediaMetadata } = await import("./media-metadata.ts");
    await using handle = await open(file, "r");
    // Tags that point beyond the file are no reason to refuse what can be played: what was read before them stays.
    await readMediaMetadata({ read: reader(handle), sizeBytes: (await stat(file)).size }, found).catch(() => undefined);
  }
  if (format !== "office") {
    const { credentials, isUnread } = await readCredentials(file, contentType);
    found.addCredentials(credentials);
    if (isUnread) found.omit("The content credentials (C2PA) in this type of file were not checked.");
  }
  return found.finish();
});

type Handle = Awaited<ReturnType<typeof open>>;

function reader(handle: Handle): (offset: number, length: number) => Promise<Buffer> {
  return async (offset, length) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };
}
