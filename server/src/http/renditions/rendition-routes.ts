import { Type } from "typebox";
import { findMedia, findRendition } from "../../renditions/find-rendition.ts";
import { readRenditions as read } from "../../renditions/read-renditions.ts";
import type { AssetIds } from "../../submissions/reading/read-asset.ts";
import { defineRoute, type Route } from "../route.ts";
import { AssetParams } from "../submissions/schemas.ts";
import { renditionsExample, RenditionsStatus, Waveform } from "./schemas.ts";
import { bytesResponses, sendBytes } from "./send-bytes.ts";

const asset = "/submissions/:submission_id/assets/:asset_id" as const;
const failures = ["not_found", "asset_not_finished", "asset_failed", "rendition_not_ready", "no_rendition"] as const;
const notReady =
  "404 `rendition_not_ready` until it is made, `no_rendition` where there is none for this kind of file.";

function idsOf(caller: { workspaceId: string }, params: { submission_id: string; asset_id: string }): AssetIds {
  return { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
}

const readRenditions = defineRoute({
  method: "GET",
  path: `${asset}/renditions`,
  bucket: "submission_read",
  role: "viewer",
  operationId: "readRenditions",
  tag: "Results",
  summary: "See what of an asset can be shown",
  description:
    "What browsers need to show the asset is made after its results, at low priority. This says what is there and how far the rest is; poll it while `status` is `waiting` or `working`. What a field is null for is not there yet, or never when `status` is `ready`.",
  params: AssetParams,
  responses: {
    200: { description: "What there is.", schema: RenditionsStatus, example: renditionsExample },
  },
  failures: ["not_found", "asset_not_finished", "asset_failed"],
  async handler({ app, caller, params }) {
    return { status: 200, body: await read(app, idsOf(caller, params)) };
  },
});

const readMedia = defineRoute({
  method: "GET",
  path: `${asset}/media`,
  bucket: "submission_read",
  role: "viewer",
  operationId: "readMedia",
  tag: "Results",
  summary: "Play or show the asset in a browser",
  description: `The uploaded file where every browser takes it as it is; else H.264 and AAC in MP4 (at most 720 lines, a key frame every half second), AAC, or an upright WebP of at most 2,048 pixels. Takes \`Range\`. For a \`<video>\`, \`<audio>\` or \`<img>\`: the address works as long as the session or key does. A document has pages instead. ${notReady}`,
  params: AssetParams,
  responses: bytesResponses("video/mp4"),
  failures,
  async handler({ app, caller, params, request }) {
    return sendBytes(app, { bytes: await findMedia(app, idsOf(caller, params)), request });
  },
});

const readPoster = defineRoute({
  method: "GET",
  path: `${asset}/poster`,
  bucket: "submission_read",
  role: "viewer",
  operationId: "readPoster",
  tag: "Results",
  summary: "See one picture of the asset",
  description: `A JPEG of at most 1,600 pixels: a moment of a film, the image, the first page of a document. ${notReady}`,
  params: AssetParams,
  responses: bytesResponses("image/jpeg"),
  failures,
  async handler({ app, caller, params, request }) {
    return sendBytes(app, { bytes: await findRendition(app, idsOf(caller, params), { kind: "poster" }), request });
  },
});

const readThumbnail = defineRoute({
  method: "GET",
  path: `${asset}/thumbnail`,
  bucket: "submission_read",
  role: "viewer",
  operationId: "readThumbnail",
  tag: "Results",
  summary: "See the asset as a small picture",
  description: `The poster as a WebP of at most 192 pixels, for lists. ${notReady}`,
  params: AssetParams,
  responses: bytesResponses("image/webp"),
  failures,
  async handler({ app, caller, params, request }) {
    return sendBytes(app, { bytes: await findRendition(app, idsOf(caller, params), { kind: "thumbnail" }), request });
  },
});

const readFilmstrip = defineRoute({
  method: "GET",
  path: `${asset}/filmstrip`,
  bucket: "submission_read",
  role: "viewer",
  operationId: "readFilmstrip",
  tag: "Results",
  summary: "See a film as small pictures",
  description: `One JPEG with small pictures in rows, at even times; \`filmstrip\` of \`…/renditions\` has their number, size and interval. ${notReady}`,
  params: AssetParams,
  responses: bytesResponses("image/jpeg"),
  failures,
  async handler({ app, caller, params, request }) {
    return sendBytes(app, { bytes: await findRendition(app, idsOf(caller, params), { kind: "filmstrip" }), request });
  },
});

const readWaveform = defineRoute({
  method: "GET",
  path: `${asset}/waveform`,
  bucket: "submission_read",
  role: "viewer",
  operationId: "readWaveform",
  tag: "Results",
  summary: "Draw the sound of the asset",
  description: `The loudness over time as a list of peaks. ${notReady}`,
  params: AssetParams,
  responses: bytesResponses("application/json", {
    stored: Waveform,
    example: { durationSeconds: 0.03, peaks: [0.12, 0.5, 0.31] },
  }),
  failures,
  async handler({ app, caller, params, request }) {
    return sendBytes(app, { bytes: await findRendition(app, idsOf(caller, params), { kind: "waveform" }), request });
  },
});

const PageParams = Type.Object({
  ...AssetParams.properties,
  page_number: Type.String({ pattern: "^[1-9][0-9]{0,5}$", description: "From 1.", examples: ["1"] }),
});

const readPage = defineRoute({
  method: "GET",
  path: `${asset}/pages/:page_number`,
  bucket: "submission_read",
  role: "viewer",
  operationId: "readPage",
  tag: "Results",
  summary: "Read a page of a document",
  description: `A JPEG of the page, at most 1,600 pixels on its longer side. A PDF is drawn as printed; of other documents the text is laid out again, without pictures, page by page as issues count them. ${notReady}`,
  params: PageParams,
  responses: bytesResponses("image/jpeg"),
  failures,
  async handler({ app, caller, params, request }) {
    const page = { kind: "page" as const, number: Number(params.page_number) };
    return sendBytes(app, { bytes: await findRendition(app, idsOf(caller, params), page), request });
  },
});

export const renditionRoutes: readonly Route[] = [
  readRenditions,
  readMedia,
  readPoster,
  readThumbnail,
  readFilmstrip,
  readWaveform,
  readPage,
];
