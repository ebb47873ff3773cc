import { MediaTypeRefused } from "./media-type-refused.ts";

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

export type Category = "video" | "audio" | "image" | "document";

/** The largest file of each category; "MB" and "GB" of the interface are powers of 1024. */
export const maxBytesByCategory: Readonly<Record<Category, number>> = {
  video: 5 * gibibyte,
  audio: 500 * mebibyte,
  image: 50 * mebibyte,
  document: 100 * mebibyte,
};

export const directUploadMaxBytes = 10 * mebibyte;

/** What bytes can be recognised as: how it is called in an answer, and the sign that recognise.ts looks for. */
export const formats = {
  "iso-media": { name: "MP4 or QuickTime (video/mp4)", sign: "an `ftyp` box with a brand that is not an image's" },
  "old-quicktime": { name: "QuickTime (video/quicktime)", sign: "QuickTime atoms without `ftyp`, a `moov` among them" },
  webm: { name: "WebM (video/webm)", sign: "EBML of DocType `webm`" },
  matroska: { name: "Matroska (video/x-matroska)", sign: "EBML of DocType `matroska`" },
  avi: { name: "AVI (video/x-msvideo)", sign: "RIFF of form `AVI`" },
  "mpeg-video": { name: "MPEG video (video/mpeg)", sign: "an MPEG-1 or MPEG-2 program stream or video sequence" },
  "mpeg-ts": { name: "MPEG transport stream (video/mp2t)", sign: "sync bytes every 188, 192 or 204 bytes" },
  mxf: { name: "MXF (application/mxf)", sign: "a header partition within the first 64 KiB" },
  "mpeg-audio": { name: "MP3 (audio/mpeg)", sign: "an ID3 tag or successive MPEG audio frames" },
  adts: { name: "AAC (audio/aac)", sign: "successive ADTS frames, also after an ID3 tag" },
  wav: { name: "WAV (audio/wav)", sign: "RIFF, RIFX, RF64 or BW64 of form `WAVE`" },
  "ogg-audio": { name: "Ogg audio (audio/ogg)", sign: "Ogg with Opus, Vorbis, FLAC or Speex and no video" },
  flac: { name: "FLAC (audio/flac)", sign: "`fLaC`, also after an ID3 tag" },
  jpeg: { name: "JPEG (image/jpeg)", sign: "a JPEG start of image" },
  png: { name: "PNG (image/png)", sign: "the PNG signature (APNG is PNG)" },
  gif: { name: "GIF (image/gif)", sign: "`GIF87a` or `GIF89a`" },
  webp: { name: "WebP (image/webp)", sign: "RIFF of form `WEBP`" },
  tiff: { name: "TIFF (image/tiff)", sign: "a TIFF or BigTIFF header of either byte order, no camera raw" },
  avif: { name: "AVIF (image/avif)", sign: "an `ftyp` box with an AVIF brand" },
  heif: { name: "HEIC (image/heic)", sign: "an `ftyp` box with a HEIC or HEIF brand" },
  bmp: { name: "BMP (image/bmp)", sign: "`BM` and a known bitmap header" },
  pdf: { name: "PDF (application/pdf)", sign: "`%PDF-` within the first 1024 bytes" },
  docx: { name: "a Word document (docx)", sign: "an Office package whose main part is a Word document" },
  pptx: { name: "a PowerPoint presentation (pptx)", sign: "an Office package whose main part is a presentation" },
  xlsx: { name: "an Excel workbook (xlsx)", sign: "an Office package whose main part is a workbook" },
  text: { name: "text (text/plain)", sign: "UTF-8, or UTF-16 with a byte order mark, without control characters" },
  "legacy-text": { name: "text in an 8-bit encoding (text/plain)", sign: "8-bit text without control characters" },
  srt: { name: "SubRip subtitles (application/x-subrip)", sign: "text that begins with a numbered, timed cue" },
  "legacy-srt": {
    name: "SubRip subtitles in an 8-bit encoding",
    sign: "8-bit text that begins with a numbered, timed cue",
  },
  vtt: { name: "WebVTT (text/vtt)", sign: "text that begins with `WEBVTT`" },
} as const;

export type Format = keyof typeof formats;

export type MediaType = {
  contentType: string;
  category: Category;
  /** Lower case, without the dot; the first is the usual one. */
  extensions: readonly [string, ...string[]];
  formats: readonly Format[];
};

const anyText = ["text", "legacy-text", "srt", "legacy-srt", "vtt"] as const;
const office = "application/vnd.openxmlformats-officedocument" as const;

/** The allowlist. Validation, OpenAPI, documentation and error messages all read this one table. */
export const mediaTypes = [
  { contentType: "video/mp4", category: "video", extensions: ["mp4", "m4v"], formats: ["iso-media"] },
  {
    contentType: "video/quicktime",
    category: "video",
    extensions: ["mov", "qt"],
    formats: ["iso-media", "old-quicktime"],
  },
  { contentType: "video/webm", category: "video", extensions: ["webm"], formats: ["webm"] },
  {
    contentType: "video/x-matroska",
    category: "video",
    extensions: ["mkv", "mk3d"],
    // WebM is a subset of Matroska; a Matroska file under video/webm may hold codecs that no WebM player reads.
    formats: ["matroska", "webm"],
  },
  { contentType: "video/x-msvideo", category: "video", extensions: ["avi"], formats: ["avi"] },
  {
    contentType: "video/mpeg",
    category: "video",
    extensions: ["mpg", "mpeg", "mpe", "m1v", "m2v", "m2p", "vob"],
    formats: ["mpeg-video"],
  },
  { contentType: "video/mp2t", category: "video", extensions: ["ts", "m2ts", "mts", "m2t"], formats: ["mpeg-ts"] },
  { contentType: "application/mxf", category: "video", extensions: ["mxf"], formats: ["mxf"] },

  { contentType: "audio/mpeg", category: "audio", extensions: ["mp3", "mp2", "mpga"], formats: ["mpeg-audio"] },
  { contentType: "audio/mp4", category: "audio", extensions: ["m4a", "m4b", "mp4"], formats: ["iso-media"] },
  { contentType: "audio/x-m4a", category: "audio", extensions: ["m4a", "m4b"], formats: ["iso-media"] },
  { contentType: "audio/aac", category: "audio", extensions: ["aac", "adts"], formats: ["adts"] },
  { contentType: "audio/wav", category: "audio", extensions: ["wav", "wave", "bwf"], formats: ["wav"] },
  { contentType: "audio/x-wav", category: "audio", extensions: ["wav", "wave", "bwf"], formats: ["wav"] },
  { contentType: "audio/ogg", category: "audio", extensions: ["ogg", "oga", "opus", "spx"], formats: ["ogg-audio"] },
  { contentType: "audio/flac", category: "audio", extensions: ["flac"], formats: ["flac"] },
  { contentType: "audio/webm", category: "audio", extensions: ["weba", "webm"], formats: ["webm"] },

  { contentType: "image/jpeg", category: "image", extensions: ["jpg", "jpeg", "jpe", "jfif"], formats: ["jpeg"] },
  { contentType: "image/png", category: "image", extensions: ["png", "apng"], formats: ["png"] },
  { contentType: "image/gif", category: "image", extensions: ["gif"], formats: ["gif"] },
  { contentType: "image/webp", category: "image", extensions: ["webp"], formats: ["webp"] },
  { contentType: "image/tiff", category: "image", extensions: ["tif", "tiff"], formats: ["tiff"] },
  { contentType: "image/avif", category: "image", extensions: ["avif", "avifs"], formats: ["avif"] },
  { contentType: "image/heic", category: "image", extensions: ["heic", "heif", "hif"], formats: ["heif"] },
  { contentType: "image/bmp", category: "image", extensions: ["bmp", "dib"], formats: ["bmp"] },

  { contentType: "application/pdf", category: "document", extensions: ["pdf"], formats: ["pdf"] },
  {
    contentType: `${office}.wordprocessingml.document`,
    category: "document",
    extensions: ["docx"],
    formats: ["docx"],
  },
  {
    contentType: `${office}.presentationml.presentation`,
    category: "document",
    extensions: ["pptx"],
    formats: ["pptx"],
  },
  { contentType: `${office}.spreadsheetml.sheet`, category: "document", extensions: ["xlsx"], formats: ["xlsx"] },
  { contentType: "text/plain", category: "document", extensions: ["txt", "text"], formats: anyText },
  {
    contentType: "text/markdown",
    category: "document",
    extensions: ["md", "markdown"],
    formats: ["text", "srt", "vtt"],
  },
  { contentType: "text/csv", category: "document", extensions: ["csv"], formats: anyText },
  { contentType: "application/x-subrip", category: "document", extensions: ["srt"], formats: ["srt", "legacy-srt"] },
  { contentType: "text/vtt", category: "document", extensions: ["vtt"], formats: ["vtt"] },
] as const satisfies readonly MediaType[];

export type ContentType = (typeof mediaTypes)[number]["contentType"];

export const allowedContentTypes: readonly ContentType[] = mediaTypes.map((mediaType) => mediaType.contentType);

const mediaTypeOf = new Map<string, MediaType>(mediaTypes.map((mediaType) => [mediaType.contentType, mediaType]));

/** Names that browsers, systems and people use for an allowed type. They are refused, with the name to use. */
const otherNames: Readonly<Record<string, ContentType>> = {
  "application/srt": "application/x-subrip",
  "application/x-mxf": "application/mxf",
  "application/x-pdf": "application/pdf",
  "audio/m4a": "audio/mp4",
  "audio/mp3": "audio/mpeg",
  "audio/opus": "audio/ogg",
  "audio/vnd.wave": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/x-aac": "audio/aac",
  "audio/x-flac": "audio/flac",
  "audio/x-mp3": "audio/mpeg",
  "audio/x-pn-wav": "audio/wav",
  "image/heif": "image/heic",
  "image/jpg": "image/jpeg",
  "image/pjpeg": "image/jpeg",
  "image/x-ms-bmp": "image/bmp",
  "text/srt": "application/x-subrip",
  "text/x-markdown": "text/markdown",
  "video/avi": "video/x-msvideo",
  "video/matroska": "video/x-matroska",
  "video/mov": "video/quicktime",
  "video/vnd.avi": "video/x-msvideo",
  "video/x-m4v": "video/mp4",
  "video/x-mpeg": "video/mpeg",
};

/** The row of the allowlist for a declared type, or `MediaTypeRefused`. */
export function findMediaType(contentType: string): MediaType {
  const essence = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  const mediaType = mediaTypeOf.get(essence);
  if (mediaType !== undefined) return mediaType;
  throw new MediaTypeRefused(
    "content_type_not_allowed",
    `The content type ${JSON.stringify(essence.slice(0, 100))} is not allowed. ${adviceFor(essence)} ` +
      `Allowed are: ${describeAllowed()}.`,
  );
}

/** The types whose files carry this extension (lower case, without the dot). */
export function findMediaTypesByExtension(extension: string): readonly MediaType[] {
  return mediaTypes.filter((mediaType: MediaType) => mediaType.extensions.includes(extension));
}

/** For people: `10 MB`, `5 GB`. */
export function formatSize(bytes: number): string {
  if (bytes >= gibibyte) return `${trimmed(bytes / gibibyte)} GB`;
  if (bytes >= mebibyte) return `${trimmed(bytes / mebibyte)} MB`;
  return `${bytes} bytes`;
}

/** For a refusal, where a rounded size may look like the limit itself: `10,485,761 bytes`, `5,368,709,120 bytes (5 GB)`. */
export function formatExactSize(bytes: number): string {
  const exact = `${bytes.toLocaleString("en-US")} bytes`;
  return bytes >= mebibyte && bytes % mebibyte === 0 ? `${exact} (${formatSize(bytes)})` : exact;
}

/** The allowlist as a Markdown table for the documentation. */
export function renderMediaTypes(): string {
  const rows = mediaTypes.map((mediaType: MediaType) => {
    const extensions = mediaType.extensions.map((extension) => `\`.${extension}\``).join(" ");
    const signs = mediaType.formats.map((format) => formats[format].sign).join("; or ");
    const cap = formatSize(maxBytesByCategory[mediaType.category]);
    return `| \`${mediaType.contentType}\` | ${mediaType.category} | ${cap} | ${extensions} | ${signs} |`;
  });
  const head = ["| Content type | Category | Up to | Extensions | Recognised by |", "|---|---|---|---|---|"];
  return [...head, ...rows, ""].join("\n");
}

function adviceFor(essence: string): string {
  const usualName = Object.hasOwn(otherNames, essence) ? otherNames[essence] : undefined;
  if (usualName !== undefined) return `Declare ${usualName} instead.`;
  if (essence === "application/octet-stream") {
    return "It says nothing about the file: declare the type it really has (curl: -F 'file=@clip.mp4;type=video/mp4').";
  }
  return "Declare the type that the file really has, or convert it to one that is allowed.";
}

function describeAllowed(): string {
  const byCategory = Object.groupBy(mediaTypes, (mediaType) => mediaType.category);
  return Object.entries(byCategory)
    .map(([category, rows]) => `${category}: ${rows.map((row) => row.contentType).join(", ")}`)
    .join("; ");
}

function trimmed(amount: number): string {
  return String(Number(amount.toFixed(1)));
}
