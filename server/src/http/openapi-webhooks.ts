import type { TSchema } from "typebox";
import {
  CompletedEvent,
  completedExample,
  FailedEvent,
  failedExample,
  ReviewDecidedEvent,
  reviewDecidedExample,
  rejudgedExample,
  CertificateIssuedEvent,
  certificateIssuedExample,
  CertificateRevokedEvent,
  certificateRevokedExample,
  RejudgedEvent,
} from "./webhooks/event-schemas.ts";

type Json = { [key: string]: unknown };

/** The requests that the service makes itself, one for each type of event. */
export function describeWebhooks(reference: (schema: TSchema) => unknown): Json {
  const post = (event: { id: string; summary: string; description: string; schema: TSchema; example: Json }): Json => ({
    post: {
      operationId: event.id,
      tags: ["Webhooks"],
      summary: event.summary,
      description: event.description,
      security: [],
      parameters: headers,
      requestBody: {
        required: true,
        content: { "application/json": { schema: reference(event.schema), example: event.example } },
      },
      responses: {
        "2XX": { description: "Received. Anything else, and no answer within 15 s, is tried again." },
        "410": { description: "Gone: the subscription is disabled, and nothing more is sent to it." },
      },
    },
  });
  return {
    "asset.processing.completed": post({
      id: "onAssetProcessingCompleted",
      summary: "An asset was analysed",
      description:
        "Sent to every active subscription to it when an asset completes, and by the fire and the test endpoint. Read the findings at `GET …/assets/{asset_id}/issues`.",
      schema: CompletedEvent,
      example: completedExample,
    }),
    "asset.processing.failed": post({
      id: "onAssetProcessingFailed",
      summary: "An asset failed",
      description:
        "Sent to every active subscription to it when an asset fails, and by the fire and the test endpoint. Retry it while `is_retryable` is true.",
      schema: FailedEvent,
      example: failedExample,
    }),
    "asset.review.decided": post({
      id: "onAssetReviewDecided",
      summary: "An asset was decided about",
      description:
        "Sent to every active subscription to it when a person or a key decides about an asset. A later decision supersedes it and is an event of its own.",
      schema: ReviewDecidedEvent,
      example: reviewDecidedExample,
    }),
    "asset.rejudged": post({
      id: "onAssetRejudged",
      summary: "An asset's result was replaced",
      description:
        "Sent to every active subscription to it when `POST /rejudge` with `dryRun: false` has put a new result in the place of the old one.",
      schema: RejudgedEvent,
      example: rejudgedExample,
    }),
    "certificate.issued": post({
      id: "onCertificateIssued",
      summary: "An asset was certified",
      description: "Sent to every active subscription to it when a certificate is issued.",
      schema: CertificateIssuedEvent,
      example: certificateIssuedExample,
    }),
    "certificate.revoked": post({
      id: "onCertificateRevoked",
      summary: "A certificate was revoked",
      description:
        "Sent to every active subscription to it when a certificate is revoked. What it cleared must not air.",
      schema: CertificateRevokedEvent,
      example: certificateRevokedExample,
    }),
  };
}

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string", examples: [example] },
});

const headers = [
  header("webhook-id", "The event: the same in every attempt and replay.", "019a8c40-11a1-7e05-9a44-0c2d4e6f8a10"),
  header("webhook-timestamp", "When this attempt was sent, in seconds since 1970.", "1794735072"),
  header(
    "webhook-signature",
    "One or two signatures, `v1,` and the HMAC-SHA256 over `id.timestamp.body` in base64.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
];
