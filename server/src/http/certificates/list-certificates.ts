import { Type } from "typebox";
import { listCertificates as list } from "../../certificates/list-certificates.ts";
import { decodeCursor, encodeCursor, Page, pageQuery } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe } from "../schemas.ts";
import { Certificate, certificateExample } from "./certificate-schema.ts";

const usual = 50;
const { envelope: _large, ...fields } = Certificate.properties;
const ListedCertificate = Type.Object(fields, { title: "ListedCertificate" });
const { envelope: _long, ...listedExample } = certificateExample;

export const listCertificates = defineRoute({
  method: "GET",
  path: "/certificates",
  bucket: "submission_read",
  role: "viewer",
  operationId: "listCertificates",
  tag: "Review",
  summary: "List certificates, newest first",
  description: "Without their envelopes. `assetId` leaves those of the asset and its other versions.",
  query: Body({
    ...pageQuery({ most: 200, usual }),
    assetId: Maybe(Type.String({ format: "uuid" })),
  }),
  responses: {
    200: {
      description: "One page.",
      schema: Page(ListedCertificate, "CertificatePage"),
      example: { data: [listedExample], hasMore: false, nextCursor: null },
    },
  },
  failures: [],
  async handler({ app, caller, query }) {
    const limit = query.limit ?? usual;
    const cursor = decodeCursor(query.cursor, /^\d{1,9}$/);
    const found = await list(app.db, {
      workspaceId: caller.workspaceId,
      assetId: query.assetId ?? undefined,
      before: cursor === undefined ? undefined : Number(cursor),
      limit: limit + 1,
      now: app.now(),
    });
    const data = found.slice(0, limit);
    const hasMore = found.length > limit;
    return { status: 200, body: { data, hasMore, nextCursor: hasMore ? encodeCursor(data.at(-1)?.number) : null } };
  },
});
