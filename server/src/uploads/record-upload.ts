import type { App } from "../app.ts";
import { uuidv7 } from "../db/uuid.ts";
import { checkExtension, parseFilename } from "./filename.ts";
import { findMediaTypesByExtension, type MediaType } from "@greenlit/engine/media-types/media-types.ts";
import { findMediaType } from "./declared-type.ts";

export type Upload = {
  uploadId: string;
  workspaceId: string;
  filename: string;
  contentType: string;
  objectKey: string;
  issuedAt: Date;
  urlExpiresAt: Date | null;
};

export type DeclaredFile = { filename: string; mediaType: MediaType };

/** The checks of a name and a type, in the order that callers rely on. */
export function declareFile(file: { filename: string; contentType: string }): DeclaredFile {
  const filename = parseFilename(file.filename);
  const mediaType = findMediaType(file.contentType);
  checkExtension(filename, mediaType);
  return { filename, mediaType };
}

/** What clients send that do not know the type: `curl -F file=@ad.mp4` and most forms. */
const unknownTypes: ReadonlySet<string> = new Set(["application/octet-stream", "binary/octet-stream"]);

/** The same for a file that came with its bytes: a type that says nothing is taken from the extension. */
export function declareReceivedFile(file: { filename: string; contentType: string | undefined }): DeclaredFile {
  const { filename, contentType = "application/octet-stream" } = file;
  const essence = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  const extension = /\.([^.]+)$/u.exec(filename)?.[1]?.toLowerCase();
  const [usual] = extension === undefined ? [] : findMediaTypesByExtension(extension);
  return declareFile({
    filename,
    contentType: unknownTypes.has(essence) ? (usual?.contentType ?? essence) : contentType,
  });
}

/** An object of its own for every upload, so that uploading a filename again overwrites nothing. */
export function newUpload(
  app: App,
  options: { workspaceId: string; file: DeclaredFile; urlExpiresAt: Date | null },
): Upload {
  const { workspaceId, file, urlExpiresAt } = options;
  const issuedAt = app.now();
  const uploadId = uuidv7(issuedAt.getTime());
  return {
    uploadId,
    workspaceId,
    filename: file.filename,
    contentType: file.mediaType.contentType,
    objectKey: `${workspaceId}/${uploadId}`,
    issuedAt,
    urlExpiresAt,
  };
}

/** No upload is removed in its first hour. */
const uncheckedMs = 60 * 60 * 1000;

export async function recordUpload(app: App, upload: Upload): Promise<void> {
  await app.db.insertInto("uploads").values(rowOf(upload)).execute();
}

/** The same for bytes that are stored already, in one statement that calls off their planned removals. */
export async function recordStoredUpload(
  app: App,
  upload: Upload,
  planned: readonly { removalId: string }[],
): Promise<void> {
  const removalIds = planned.map(({ removalId }) => removalId);
  await app.db
    .with("calledOff", (db) => db.deleteFrom("removals").where("removalId", "in", removalIds))
    .insertInto("uploads")
    .values(rowOf(upload))
    .execute();
}

function rowOf(upload: Upload): Upload & { checkAt: Date } {
  return { ...upload, checkAt: new Date(upload.issuedAt.getTime() + uncheckedMs) };
}

export function blobPathOf({ workspaceId, filename }: { workspaceId: string; filename: string }): string {
  return `${workspaceId}/${filename}`;
}
