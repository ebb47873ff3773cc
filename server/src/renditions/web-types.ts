/** The types that a browser plays or shows and never runs, by what was uploaded: nothing else is sent from our origin. */
const webTypes: Readonly<Record<string, string>> = {
  "video/mp4": "video/mp4",
  "video/webm": "video/webm",
  "audio/mpeg": "audio/mpeg",
  "audio/mp4": "audio/mp4",
  "audio/x-m4a": "audio/mp4",
  "audio/aac": "audio/aac",
  "audio/wav": "audio/wav",
  "audio/x-wav": "audio/wav",
  "audio/ogg": "audio/ogg",
  "audio/flac": "audio/flac",
  "audio/webm": "audio/webm",
  "image/jpeg": "image/jpeg",
  "image/png": "image/png",
  "image/gif": "image/gif",
  "image/webp": "image/webp",
  "image/avif": "image/avif",
};

export function webTypeOf(contentType: string): string | undefined {
  return Object.hasOwn(webTypes, contentType) ? webTypes[contentType] : undefined;
}
