import { type ByteSource, byteSource, headBytes, type ReadRange } from "./byte-source.ts";
import { isMxf, isPdf, recogniseContainer } from "./containers.ts";
import { askFileType, trustAnswer } from "./magic-libraries.ts";
import { type Format, formats, type MediaType } from "./media-types.ts";
import { MediaTypeRefused } from "./media-type-refused.ts";
import { measureId3Tag, recogniseMpeg } from "./mpeg.ts";
import { nameCompoundFile, recogniseZip } from "./office.ts";
import { beginsLikePlaylist, recogniseText } from "./text.ts";
import { hasVideoTrack } from "./video-track.ts";

/** How much of the beginning to hand to `recognise`: nearly every file is settled by it without a further read. */
export const recogniseHeadBytes = headBytes;

/** `name` is for people: what the bytes look like, where they are nothing that the allowlist knows. */
type Identity = { format: Format } | { name: string | undefined };

/**
 * What the bytes are, or `MediaTypeRefused` when that does not fit the declared type. `head` is the first `recogniseHeadBytes` of the
 * object, or all of it; `read` is asked for ranges beyond (`end` exclusive), and what it throws is passed on.
 */
export async function recognise(object: {
  mediaType: MediaType;
  head: Uint8Array;
  tail?: Uint8Array;
  sizeBytes: number;
  read?: ReadRange;
}): Promise<Format> {
  const { mediaType } = object;
  const source = byteSource(object);
  if (source.head.length === 0) {
    throw new MediaTypeRefused(
      "content_does_not_match_type",
      `The file is empty, and was declared as ${mediaType.contentType}. Upload the bytes of the file.`,
    );
  }
  const identity = await identify(source, mediaType);
  if ("format" in identity && mediaType.formats.includes(identity.format)) {
    // Nobody would look at the picture of a file that is judged as audio.
    if (mediaType.category === "audio" && (await hasVideoTrack(source, identity.format)))
      throw new MediaTypeRefused(
        "content_does_not_match_type",
        `The file was declared as ${mediaType.contentType}, but it has a video track: it is ${formats[identity.format].name}. ` +
          "Declare the type that the file really has, or upload the sound alone.",
      );
    return identity.format;
  }
  throw new MediaTypeRefused(
    "content_does_not_match_type",
    `The file was declared as ${mediaType.contentType}, but its bytes look like ${describe(identity, object)}. ` +
      "Declare the type that the file really has, or upload the right file.",
  );
}

async function identify(source: ByteSource, declared: MediaType): Promise<Identity> {
  const body = await skipId3Tags(source);
  // ffmpeg skips a tag too before it looks for a playlist.
  if ([source, body].some(({ head }) => beginsLikePlaylist(head))) return { name: "a playlist, which no type allows" };
  return body === source ? await identifyUntagged(source, declared) : await identifyTagged(body, declared);
}

async function identifyUntagged(source: ByteSource, declared: MediaType): Promise<Identity> {
  if (await isPdf(source)) return { format: "pdf" };
  // "The ftyp box" and "GIF89a" begin files and sentences, and eight bits can be text or noise: what was declared is
  // looked for first.
  const isTextDeclared = declared.formats.some((format) => textFormats.has(format));
  const declaredText = isTextDeclared ? await recogniseText(source) : undefined;
  if (declaredText !== undefined) return { format: declaredText };
  const container = await recogniseContainer(source);
  if (container !== undefined) return { format: container };
  return (await recogniseZip(source)) ?? (await identifyByLibraries(source));
}

async function identifyByLibraries(source: ByteSource): Promise<Identity> {
  const answer = await askFileType(source.head);
  const known = trustAnswer(answer) ?? recogniseMpeg(source) ?? ((await isMxf(source)) ? "mxf" : undefined);
  const format = known ?? (await recogniseText(source));
  if (format !== undefined) return { format };
  return { name: answer === "application/x-cfb" ? await nameCompoundFile(source) : answer };
}

const textFormats: ReadonlySet<Format> = new Set(["text", "srt", "vtt"]);
const taggedFormats: ReadonlySet<Format> = new Set(["mpeg-audio", "adts", "flac"]);

const maxTags = 4;

/** ID3 tags are put in front of MP3, AAC and FLAC, and hold whole pictures: what counts comes after. */
async function skipId3Tags(source: ByteSource): Promise<ByteSource> {
  let body = source;
  for (let count = 0; count < maxTags; count++) {
    const tagBytes = measureId3Tag(body.head);
    if (tagBytes === 0) return body;
    body = await body.from(tagBytes);
  }
  return body;
}

async function identifyTagged(body: ByteSource, declared: MediaType): Promise<Identity> {
  // Taggers get the length wrong often enough: a tag before bytes that are nothing else is taken for an MP3.
  if (body.head.length === 0) return { format: "mpeg-audio" };
  const identity = await identifyUntagged(body, declared);
  if (!("format" in identity)) return identity.name === undefined ? { format: "mpeg-audio" } : identity;
  if (taggedFormats.has(identity.format)) return identity;
  return { name: `an ID3 tag followed by ${formats[identity.format].name}` };
}

function describe(identity: Identity, { mediaType, head }: { mediaType: MediaType; head: Uint8Array }): string {
  if ("format" in identity) {
    const isText = identity.format === "text" || identity.format === "legacy-text";
    return (isText ? nameMarkup(head) : undefined) ?? formats[identity.format].name;
  }
  if (identity.name !== undefined && identity.name !== mediaType.contentType) return identity.name;
  return "no file type we know; the file may be damaged";
}

/** "Text" would be true of a web page and of a drawing too, but not what its sender calls it. */
function nameMarkup(head: Uint8Array): string | undefined {
  const start = Buffer.from(head).toString("latin1", 0, 1024);
  if (/^\W*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!doctype svg[^>]*>\s*)?<svg[\s>]/is.test(start))
    return "image/svg+xml";
  return /^\W*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)[\s>]/is.test(start) ? "text/html" : undefined;
}
