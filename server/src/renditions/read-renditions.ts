import type { App } from "../app.ts";
import type { RenditionKind } from "../db/tables.ts";
import type { AssetIds } from "../submissions/reading/read-asset.ts";
import { findRendering } from "./find-rendering.ts";
import { webTypeOf } from "./web-types.ts";

type Part = { contentType: string; sizeBytes: number; detail: Record<string, unknown> };

/** What there is to show of an asset, and how far the rest is. */
export async function readRenditions(app: App, ids: AssetIds) {
  const { asset, media, rendering } = await findRendering(app, ids);
  const rows = await app.db
    .selectFrom("renditions")
    .select(["kind", "number", "contentType", "sizeBytes", "detail"])
    .where("assetId", "=", ids.assetId)
    .where("workspaceId", "=", ids.workspaceId)
    .execute();
  const partOf = (kind: RenditionKind): Part | undefined => rows.find((row) => row.kind === kind);
  const original = rendering?.source === "original" ? webTypeOf(asset.contentType) : undefined;
  return {
    assetId: asset.assetId,
    status: rendering?.state ?? ("off" as const),
    progressPercent: rendering?.state === "ready" ? 100 : (rendering?.progressPercent ?? 0),
    errorMessage: rendering?.errorMessage ?? null,
    durationSeconds: rendering?.durationSeconds ?? null,
    framesPerSecond: rendering?.framesPerSecond ?? null,
    media:
      original === undefined
        ? describeMedia(partOf("media"))
        : {
            source: "original" as const,
            contentType: original,
            sizeBytes: media.sizeBytes,
            width: null,
            height: null,
            isToneMapped: false,
          },
    poster: describePicture(partOf("poster")),
    filmstrip: describeFilmstrip(partOf("filmstrip")),
    hasWaveform: partOf("waveform") !== undefined,
    pages:
      rendering === undefined || rendering.pageCount === null
        ? null
        : {
            count: rendering.pageCount,
            ready: rows
              .filter(({ kind }) => kind === "page")
              .map(({ number, detail }) => ({
                page: number,
                width: Number(detail["width"]),
                height: Number(detail["height"]),
              }))
              .toSorted((a, b) => a.page - b.page),
          },
  };
}

function describeMedia(part: Part | undefined) {
  if (!part) return null;
  const { width, height } = sizeOf(part);
  const { contentType, sizeBytes, detail } = part;
  const isToneMapped = detail["isToneMapped"] === 1;
  return { source: "rendition" as const, contentType, sizeBytes, width, height, isToneMapped };
}

function describePicture(part: Part | undefined) {
  if (!part) return null;
  const { width, height } = sizeOf(part);
  return { contentType: part.contentType, width, height };
}

function describeFilmstrip(part: Part | undefined) {
  if (!part) return null;
  const number = (name: string) => Number(part.detail[name] ?? 0);
  return {
    contentType: part.contentType,
    columns: number("columns"),
    rows: number("rows"),
    count: number("count"),
    tileWidth: number("tileWidth"),
    tileHeight: number("tileHeight"),
    intervalSeconds: number("intervalSeconds"),
  };
}

function sizeOf({ detail }: Part): { width: number | null; height: number | null } {
  const number = (value: unknown) => (typeof value === "number" ? value : null);
  return { width: number(detail["width"]), height: number(detail["height"]) };
}
