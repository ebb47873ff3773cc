import { Type } from "typebox";
import { certificateStatuses } from "../../certificates/certificate.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../schemas.ts";

export const envelopeFields = {
  payloadType: Type.String({ maxLength: 200 }),
  payload: Type.String({ maxLength: 4_000_000, description: "An in-toto Statement v1, in base64." }),
  signatures: Type.Array(
    Type.Object({ keyid: Type.String({ maxLength: 200 }), sig: Type.String({ maxLength: 1000 }) }),
    { minItems: 1, maxItems: 20 },
  ),
};
const Envelope = Type.Object(envelopeFields, { title: "CertificateEnvelope" });

export const SupersededByRejudge = Nullable(
  Type.String({
    format: "uuid",
    description: "The run of `POST /rejudge` that gave the certified asset another result.",
  }),
);

export const Certificate = Type.Object(
  {
    certificateId: Uuid,
    number: Type.Integer({ description: "Counts up by one in the workspace." }),
    submissionId: Uuid,
    assetId: Uuid,
    filename: Type.String(),
    sha256: Type.String({ description: "Of the file that was cleared." }),
    status: OneOf(certificateStatuses),
    supersededBy: Nullable(Uuid),
    supersededByRejudge: SupersededByRejudge,
    revokedReason: Nullable(Type.String()),
    issuedAt: Timestamp,
    expiresAt: Timestamp,
    revokedAt: Nullable(Timestamp),
    envelope: Envelope,
  },
  { title: "Certificate" },
);

export const certificateExample = {
  certificateId: "019a8c51-22b3-7e14-8c55-1d3e5f708b32",
  number: 17,
  submissionId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
  assetId: "019a8c3e-5f71-7b02-8f3a-6c2d1e0b9a44",
  filename: "spring-ad.mp4",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  status: "VALID" as const,
  supersededBy: null,
  supersededByRejudge: null,
  revokedReason: null,
  issuedAt: "2026-11-15T10:05:00.000Z",
  expiresAt: "2027-11-15T10:05:00.000Z",
  revokedAt: null,
  envelope: {
    payloadType: "application/vnd.in-toto+json",
    payload: "eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEi…",
    signatures: [{ keyid: "1b0c…", sig: "0mB6…" }],
  },
};
