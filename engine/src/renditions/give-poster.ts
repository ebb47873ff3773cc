import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { picturesForWeb } from "../evidence/images/image.ts";
import type { RenditionFile } from "./rendition.ts";

/** Lists show many at once: fifty posters would be megabytes. */
const thumbnailLongSide = 192;

/** Hands over a poster, and before it a small copy for lists: the caller may remove a file as soon as it has it. */
export async function givePoster(
  poster: RenditionFile,
  options: { folder: string; onFile: (rendition: RenditionFile) => void; signal: AbortSignal | undefined },
): Promise<void> {
  const { webp } = await picturesForWeb({
    file: poster.file,
    mediaType: { contentType: poster.contentType, category: "image" },
    longSide: thumbnailLongSide,
    posterLongSide: thumbnailLongSide,
    signal: options.signal,
  });
  const { base64, width, height } = webp;
  const file = join(options.folder, "thumbnail.webp");
  await writeFile(file, Buffer.from(base64, "base64"));
  options.onFile({ kind: "thumbnail", number: 0, file, contentType: "image/webp", detail: { width, height } });
  options.onFile(poster);
}
