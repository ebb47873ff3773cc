import { contentMatches, differenceKinds } from "@greenlit/engine/print/compare/comparison.ts";
import { Type } from "typebox";
import { findCertificate } from "../../certificates/certificate.ts";
import { compareContent, type ContentAnswer, findAnalysedAsset } from "../../certificates/compare-content.ts";
import type { Envelope } from "../../certificates/dsse.ts";
import { verifyByDatabase } from "../../certificates/verify-by-database.ts";
import { fileMatches, trustStates } from "../../certificates/verify-certificate.ts";
import { verificationStates } from "../../db/tables.ts";
import { Failure } from "../../failure.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, Nullable, OneOf, Uuid } from "../schemas.ts";
import { Region } from "../submissions/measurement-schemas.ts";
import { certificateExample, envelopeFields, SupersededByRejudge } from "./certificate-schema.ts";

const Sha256 = Type.String({ pattern: "^[0-9a-fA-F]{64}$" });

const NullableNumber = Nullable(Type.Number());

const Difference = Type.Object(
  {
    kind: OneOf(differenceKinds),
    message: Type.String(),
    startSeconds: NullableNumber,
    endSeconds: NullableNumber,
    page: Nullable(Type.Integer()),
    region: Region,
    before: Type.String({ description: "What is read or heard there in the cleared file." }),
    after: Type.String({ description: "What is read or heard there in this file." }),
  },
  { title: "ContentDifference" },
);

const ComparedFinding = Type.Object(
  { fingerprint: Type.String(), ruleCode: Type.String(), severity: Type.String(), summary: Type.String() },
  { title: "ComparedFinding" },
);

const Picture = Type.Object(
  {
    difference: Type.Integer({ description: "Its place in `differences`, from 0." }),
    beforePng: Nullable(Type.String({ description: "In base64." })),
    afterJpeg: Nullable(Type.String({ description: "In base64." })),
  },
  { title: "DifferencePicture" },
);

const Content = Type.Object(
  {
    state: OneOf(verificationStates, {
      description: "Send the same request again until it is `complete` or `failed`. Nothing is compared twice.",
    }),
    match: Nullable(
      OneOf(contentMatches, {
        description:
          "`IDENTICAL`: byte for byte what was cleared. `SAME_ESSENCE`: the same coded picture and sound in another container. `SAME_CONTENT`: coded anew, and shows and plays the same. `ALTERED`: something else is seen, heard or written, or a person has to judge. `DIFFERENT`: another film, picture or text. Null until the comparison is complete.",
      }),
    ),
    offsetSeconds: Type.Number({ description: "When the first moment of the cleared file comes in this one." }),
    differences: Type.Array(Difference),
    notes: Type.Array(Type.String()),
    newFindings: Type.Array(ComparedFinding),
    goneFindings: Type.Array(ComparedFinding),
    pictures: Type.Array(Picture),
    errorMessage: Nullable(Type.String()),
  },
  { title: "ContentComparison" },
);

const Verification = Type.Object(
  {
    trust: OneOf(trustStates, { description: "`UNTRUSTED`: no key of this service signed it, or it was changed." }),
    reason: Nullable(Type.String()),
    file: Nullable(
      OneOf(fileMatches, {
        description:
          "`IDENTICAL`: byte for byte what was cleared. `NOT_IDENTICAL`: other bytes; with an `assetId`, `content` says whether they show the same. Null: no file was named, or the certificate cannot be trusted.",
      }),
    ),
    supersededBy: Nullable(Uuid),
    supersededByRejudge: SupersededByRejudge,
    content: Type.Union([Content, Type.Null()], {
      description: "How the asset compares with what was cleared. Null without an `assetId`.",
    }),
    statement: Type.Unsafe<Record<string, unknown> | null>({ type: ["object", "null"], additionalProperties: true }),
  },
  { title: "Verification" },
);

export const verify = defineRoute({
  method: "POST",
  path: "/verify",
  bucket: "submission_read",
  role: "viewer",
  operationId: "verifyCertificate",
  tag: "Review",
  summary: "Verify a certificate, and that a file is what it clears",
  description:
    "Name the certificate by its `envelope` or its `certificateId`, and the file by its `sha256` or, once it was submitted and analysed here, by its `assetId`. A hash tells only whether it is the very same file. An asset is compared by what it shows, says and plays: a copy in another container or coded anew is told from one that somebody altered, with times, boxes, words and pictures of what differs. `greenlit verify` does the same without this service.",
  body: Body(
    {
      envelope: Type.Optional(Body(envelopeFields)),
      certificateId: Maybe(Uuid),
      sha256: Maybe(Sha256),
      assetId: Maybe(Uuid),
    },
    { title: "VerifyCertificate" },
  ),
  bodyExample: { certificateId: certificateExample.certificateId, assetId: certificateExample.assetId },
  responses: {
    200: {
      description: "What can be trusted.",
      schema: Verification,
      example: {
        trust: "VALID" as const,
        reason: null,
        file: "NOT_IDENTICAL" as const,
        supersededBy: null,
        supersededByRejudge: null,
        content: {
          state: "complete" as const,
          match: "SAME_CONTENT" as const,
          offsetSeconds: 0,
          differences: [],
          notes: ["The sound is 3 LU softer (-20 to -23 LUFS)."],
          newFindings: [],
          goneFindings: [],
          pictures: [],
          errorMessage: null,
        },
        statement: {},
      },
    },
  },
  failures: ["not_found", "asset_not_finished", "asset_failed", "evidence_not_kept"],
  async handler({ app, caller, body }) {
    const { workspaceId } = caller;
    const { certificateId, assetId } = body;
    if ((body.envelope === undefined) === ((certificateId ?? undefined) === undefined))
      throw invalid("envelope", "or certificateId is needed, and not both");
    if (assetId && body.sha256) throw invalid("sha256", "cannot stand beside an assetId");
    const envelope =
      body.envelope ??
      (JSON.parse(
        (await findCertificate(app.db, { workspaceId, certificateId: certificateId ?? "" })).envelope,
      ) as Envelope);
    const asset = assetId ? await findAnalysedAsset(app, { workspaceId, assetId }) : undefined;
    const sha256 = asset?.sha256 ?? body.sha256 ?? undefined;
    const checked = await verifyByDatabase(app, { workspaceId, envelope, sha256 });
    const { statement } = checked;
    const content =
      asset === undefined || statement === null
        ? null
        : contentOf(checked.file === "IDENTICAL" ? identical : await compareContent(app, { asset, statement }));
    return { status: 200, body: { ...checked, content } };
  },
});

const nothing = { offsetSeconds: 0, differences: [], notes: [], newFindings: [], goneFindings: [], pictures: [] };
const identical: ContentAnswer = {
  state: "complete",
  errorMessage: null,
  result: { match: "IDENTICAL", ...nothing },
};

function contentOf({ state, errorMessage, result }: ContentAnswer) {
  return { ...(result ?? { match: null, ...nothing }), state, errorMessage };
}

function invalid(path: string, message: string): Failure {
  return new Failure("invalid_request", `The request body is not valid: ${path} ${message}.`, {
    details: [{ path, message }],
  });
}
