import { Type } from "typebox";
import { searchAsset as search, searchSources } from "../../submissions/reading/search-asset.ts";
import { decodeCursor, encodeCursor, Page, pageQuery } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, Nullable, OneOf } from "../schemas.ts";
import { Region } from "./measurement-schemas.ts";
import { AssetParams } from "./schemas.ts";
import { searchExample } from "./examples.ts";

const usual = 100;

const SearchHit = Type.Object(
  {
    source: OneOf(searchSources, { description: "Seen in the picture, said, captioned, or written in a document." }),
    text: Type.String({ description: "The line, segment or cue that holds the words; two where they run on." }),
    startSeconds: Nullable(Type.Number()),
    endSeconds: Nullable(Type.Number()),
    page: Nullable(Type.Integer()),
    region: Region,
  },
  { title: "SearchHit" },
);

export const searchAsset = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/search",
  bucket: "submission_read",
  role: "viewer",
  operationId: "searchAsset",
  tag: "Results",
  summary: "Find where words are seen or said",
  description:
    "Looks through the text in the picture, the speech, the captions and the pages for the words one after another, whatever their case, accents and punctuation. In order of time or pages. 404 until the asset has finished, and when it failed.",
  params: AssetParams,
  query: Body({
    q: Maybe(Type.String({ maxLength: 500, description: "The words. Left out: everything that was read or heard." })),
    ...pageQuery({ most: 500, usual }),
  }),
  responses: {
    200: { description: "A page of places.", schema: Page(SearchHit, "SearchHitPage"), example: searchExample },
  },
  failures: ["not_found", "asset_not_finished", "asset_failed"],
  async handler({ app, caller, params, query }) {
    const skip = Number(decodeCursor(query.cursor, /^\d{1,9}$/) ?? 0);
    const limit = query.limit ?? usual;
    const { hits, hasMore } = await search(app, {
      workspaceId: caller.workspaceId,
      submissionId: params.submission_id,
      assetId: params.asset_id,
      words: query.q ?? "",
      skip,
      limit,
    });
    return { status: 200, body: { data: hits, hasMore, nextCursor: hasMore ? encodeCursor(skip + limit) : null } };
  },
});
