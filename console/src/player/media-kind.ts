export type MediaKind = "video" | "audio" | "image" | "document";

export function mediaKind(mimeType: string | null): MediaKind {
  if (mimeType === null) return "document";
  if (mimeType.startsWith("video/") || mimeType === "application/mxf") return "video";
  if (mimeType.startsWith("audio/")) return "audio";
  return mimeType.startsWith("image/") ? "image" : "document";
}
