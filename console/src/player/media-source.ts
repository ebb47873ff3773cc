import { operations } from "@greenlit/sdk/src/generated.ts";
import { assetUrl, type AssetIds } from "../api/client.ts";

export type MediaKind = "video" | "audio" | "image" | "document";

export function mediaKind(mimeType: string | null): MediaKind {
  if (mimeType === null) return "document";
  if (mimeType.startsWith("video/") || mimeType === "application/mxf") return "video";
  if (mimeType.startsWith("audio/")) return "audio";
  return mimeType.startsWith("image/") ? "image" : "document";
}

/** Whether the service makes this part of an asset. */
export function hasPart(part: "media" | "poster" | "filmstrip" | "waveform" | "pages/{page}"): boolean {
  const end = part.startsWith("pages") ? /\/pages\/\{\w+\}$/ : new RegExp(`/${part}$`);
  return Object.values(operations).some((route) => end.test(route));
}

/** What a player plays: the file as browsers can play it. */
export function playableUrl(ids: AssetIds): string {
  return assetUrl(ids, hasPart("media") ? "media" : "original");
}

/** A picture for `<img>`. It becomes a blob where it comes from the store, which the page may read but not embed. */
export async function pictureUrl(ids: AssetIds): Promise<string> {
  if (hasPart("media")) return assetUrl(ids, "media");
  const response = await fetch(assetUrl(ids, "original"));
  if (!response.ok) throw new Error(`The file could not be loaded (${response.status}).`);
  return URL.createObjectURL(await response.blob());
}
