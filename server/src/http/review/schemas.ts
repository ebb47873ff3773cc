import { Type } from "typebox";
import { reviewDecisions, reviewStates } from "../../db/people-tables.ts";
import { severities } from "../../db/tables.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../schemas.ts";

export const ReviewState = OneOf(reviewStates);
export const DecisionName = OneOf(reviewDecisions);

const ActorRef = Type.Object({
  kind: OneOf(["key", "person"]),
  id: Uuid,
  name: Nullable(Type.String()),
});

const reviewProperties = {
  reviewId: Uuid,
  submissionId: Uuid,
  assetId: Uuid,
  state: ReviewState,
  mode: OneOf(["live", "sandbox"]),
  filename: Type.String(),
  mimeType: Type.String(),
  hasThumbnail: Type.Boolean({ description: "Whether `…/thumbnail` of the asset is there by now." }),
  versionGroupId: Uuid,
  versionNumber: Type.Integer(),
  markets: Type.Array(Type.String(), { description: "The jurisdictions the asset was submitted for." }),
  severity: Nullable(OneOf(severities, { description: "The highest of its open issues; null when none is open." })),
  openIssues: Type.Object(
    Object.fromEntries(severities.map((severity) => [severity, Type.Integer()])) as Record<
      (typeof severities)[number],
      ReturnType<typeof Type.Integer>
    >,
    { description: "Issues that are neither resolved nor dismissed." },
  ),
  undecidedCount: Type.Integer({ description: "Issues that nobody has decided about." }),
  uploader: Nullable(Type.Object({ kind: OneOf(["key", "person"]), id: Uuid })),
  assignee: Nullable(Type.Object({ personId: Uuid, name: Type.String() })),
  dueAt: Nullable(Timestamp),
  claim: Nullable(
    Type.Object(
      { holderId: Uuid, name: Nullable(Type.String()), until: Timestamp },
      { description: "Who works on it now." },
    ),
  ),
  openedAt: Timestamp,
  updatedAt: Timestamp,
  decidedAt: Nullable(Timestamp),
};

export const Review = Type.Object(reviewProperties, { title: "Review" });

export const Decision = Type.Object(
  {
    decisionId: Uuid,
    decision: DecisionName,
    reason: Nullable(Type.String()),
    conditions: Type.Array(Type.String()),
    markets: Type.Array(Type.String()),
    decidedBy: ActorRef,
    createdAt: Timestamp,
    supersededBy: Nullable(Uuid),
  },
  { title: "ReviewDecision" },
);

export const ReviewWithDecisions = Type.Object(
  { ...reviewProperties, decisions: Type.Array(Decision, { description: "All of them, oldest first." }) },
  { title: "ReviewWithDecisions" },
);

const Fraction = Type.Number({ minimum: 0, maximum: 1 });
export const BoxRegion = Type.Object(
  { x: Fraction, y: Fraction, width: Fraction, height: Fraction },
  { additionalProperties: false, description: "In fractions of the frame." },
);
const Seconds = Type.Number({ minimum: 0, maximum: 1_000_000 });
const PageNumber = Type.Integer({ minimum: 1, maximum: 1_000_000 });

export const placeProperties = {
  startSeconds: Type.Optional(Nullable(Seconds)),
  endSeconds: Type.Optional(Nullable(Seconds)),
  page: Type.Optional(Nullable(PageNumber)),
  region: Type.Optional(Nullable(BoxRegion)),
};

export const Comment = Type.Object(
  {
    commentId: Uuid,
    threadId: Nullable(
      Type.String({ format: "uuid", description: "The comment it answers; null when it began the thread." }),
    ),
    text: Type.String(),
    anchor: Nullable(
      Type.Object({
        startSeconds: Nullable(Type.Number()),
        endSeconds: Nullable(Type.Number()),
        page: Nullable(Type.Integer()),
        region: Nullable(Type.Object({ x: Fraction, y: Fraction, width: Fraction, height: Fraction })),
        issueId: Nullable(
          Type.String({
            format: "uuid",
            description: "The issue of this version with the same finding; null when it is gone.",
          }),
        ),
      }),
    ),
    author: ActorRef,
    fromVersion: Nullable(Type.Integer({ description: "The earlier version it was written on; null for this one." })),
    isResolved: Type.Boolean(),
    resolvedBy: Nullable(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: "Comment" },
);
