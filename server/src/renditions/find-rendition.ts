import type { App } from "../app.ts";
import type { RenditionKind } from "../db/tables.ts";
import { Failure } from "../failure.ts";
import type { AssetIds } from "../submissions/reading/read-asset.ts";
import { findRendering } from "./find-rendering.ts";
import { webTypeOf } from "./web-types.ts";

/** Bytes to send to a browser. */
export type ShownBytes = {
  /** In the store. */
  key: string;
  etag: string;
  contentType: string;
  sizeBytes: number;
  /** Names these bytes and no others. */
  tag: string;
};

/** What to play or show: the uploaded file where browsers can take it as it is, else what was made of it. */
export async function findMedia(app: App, ids: AssetIds): Promise<ShownBytes> {
  const { asset, media, rendering } = await findRendering(app, ids);
  const contentType = webTypeOf(asset.contentType);
  if (rendering?.source !== "original" || contentType === undefined) return findRendition(app, ids, { kind: "media" });
  const { reference: key, etag, sizeBytes, mediaId: tag } = media;
  return { key, etag, contentType, sizeBytes, tag };
}

/** 404 says whether to ask again: it is not ready yet, or there will be none. */
export async function findRendition(
  app: App,
  ids: AssetIds,
  { kind, number = 0 }: { kind: RenditionKind; number?: number },
): Promise<ShownBytes> {
  const { rendering } = await findRendering(app, ids);
  const found = await app.db
    .selectFrom("renditions")
    .select(["objectKey", "etag", "contentType", "sizeBytes"])
    .where("assetId", "=", ids.assetId)
    .where("workspaceId", "=", ids.workspaceId)
    .where("kind", "=", kind)
    .where("number", "=", number)
    .executeTakeFirst();
  if (found) {
    const { objectKey: key, ...rest } = found;
    return { key, ...rest, tag: key.slice(key.lastIndexOf("/") + 1) };
  }
  if (!rendering) throw new Failure("no_rendition", "Renditions are switched off here (GREENLIT_RENDITIONS).");
  if (rendering.state === "failed")
    throw new Failure("no_rendition", `It could not be made: ${rendering.errorMessage ?? "the file cannot be shown."}`);
  const isBeyond = kind === "page" && rendering.pageCount !== null && number > rendering.pageCount;
  if (rendering.state === "ready" || isBeyond)
    throw new Failure("no_rendition", noneOf(kind, { number, pageCount: rendering.pageCount }));
  throw new Failure(
    "rendition_not_ready",
    "This is being made and is not ready yet. GET …/renditions says how far it is; ask again in a few seconds.",
  );
}

function noneOf(kind: RenditionKind, { number, pageCount }: { number: number; pageCount: number | null }): string {
  if (kind === "page" && pageCount !== null) return `There is no page ${number}: ${pageCount} can be shown.`;
  const shown = {
    media: "A document is read page by page: see …/pages/1.",
    poster: "There is no picture of this file.",
    thumbnail: "There is no picture of this file.",
    filmstrip: "Only what moves has a filmstrip.",
    waveform: "The file has no sound.",
    page: "Only documents have pages.",
  };
  return shown[kind];
}
