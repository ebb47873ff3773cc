import { Type } from "typebox";
import { reviewSeverities, reviewStates, type ReviewState as State } from "../../db/people-tables.ts";
import { Failure } from "../../failure.ts";
import { changeReview as change, claimReview as claim, releaseReview as release } from "../../review/change-review.ts";
import { decideReview as decide } from "../../review/decide-review.ts";
import { listReviews as list } from "../../review/list-reviews.ts";
import { readReview as read, type DescribedReview } from "../../review/review.ts";
import { Page, pageQuery, readPage } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, OneOf, Timestamp } from "../schemas.ts";
import { AssetParams } from "../submissions/schemas.ts";
import { decisionExample, reviewExample, reviewWithDecisionsExample } from "./examples.ts";
import { Decision, DecisionName, Review, ReviewWithDecisions } from "./schemas.ts";

const path = "/submissions/:submission_id/assets/:asset_id/review";
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const listReviews = defineRoute({
  method: "GET",
  path: "/reviews",
  bucket: "submission_read",
  role: "viewer",
  operationId: "listReviews",
  tag: "Review",
  summary: "List reviews: the queue",
  description:
    "Every complete asset has a review. Those of the caller's mode, the newest first unless `order` says otherwise. A page takes the same time however many there are.",
  query: Body({
    ...pageQuery({ most: 100, usual: 50 }),
    state: Maybe(Type.String({ maxLength: 200, description: `Comma-separated: ${reviewStates.join(", ")}.` })),
    assignee: Maybe(Type.String({ maxLength: 40, description: "`me`, `none`, or a person's id." })),
    severity: Maybe(OneOf(reviewSeverities, { description: "The highest severity of its open issues." })),
    market: Maybe(Type.String({ maxLength: 40, examples: ["UK"] })),
    q: Maybe(
      Type.String({
        maxLength: 200,
        description:
          "Words of the filename. The last one may be begun only, unless something follows it, like a space.",
      }),
    ),
    order: Maybe(OneOf(["newest", "oldest"])),
  }),
  responses: {
    200: {
      description: "One page.",
      schema: Page(Review, "ReviewPage"),
      example: { data: [reviewExample], hasMore: false, nextCursor: null },
    },
  },
  failures: [],
  async handler({ app, caller, query }) {
    const { workspaceId, mode, actor } = caller;
    const filter = {
      states: statesOf(query.state),
      assigneeId: assigneeOf(query.assignee, actor.id),
      severity: query.severity ?? undefined,
      market: query.market ?? undefined,
      words: query.q ?? undefined,
    };
    const order = query.order ?? "newest";
    const page = await readPage<DescribedReview>(query, {
      usual: 50,
      idOf: ({ reviewId }) => reviewId,
      list: ({ after, limit }) => list(app, { workspaceId, mode, filter, order, after, limit }),
    });
    return { status: 200, body: page };
  },
});

function statesOf(text: string | null | undefined): State[] {
  const named = text ? text.split(",").map((state) => state.trim()) : [];
  const states = reviewStates.filter((state) => named.includes(state));
  if (states.length !== new Set(named).size)
    throw new Failure(
      "invalid_request",
      `The request query is not valid: state must be one or more of ${reviewStates.join(", ")}.`,
      {
        details: [{ path: "state", message: `must be one or more of ${reviewStates.join(", ")}` }],
      },
    );
  return states;
}

function assigneeOf(text: string | null | undefined, callerId: string): string | null | undefined {
  if (!text) return undefined;
  if (text === "me") return callerId;
  if (text === "none") return null;
  if (uuidPattern.test(text)) return text.toLowerCase();
  throw new Failure("invalid_request", "The request query is not valid: assignee must be me, none or a person's id.", {
    details: [{ path: "assignee", message: "must be me, none or a person's id" }],
  });
}

export const readReview = defineRoute({
  method: "GET",
  path,
  bucket: "submission_read",
  role: "viewer",
  operationId: "readReview",
  tag: "Review",
  summary: "Read the review of an asset",
  description: "Its state, who has it, what is open, and every decision with those that superseded it.",
  params: AssetParams,
  responses: { 200: { description: "The review.", schema: ReviewWithDecisions, example: reviewWithDecisionsExample } },
  failures: ["not_found", "asset_not_finished", "asset_failed"],
  async handler({ app, caller, params }) {
    const { submission_id: submissionId, asset_id: assetId } = params;
    return { status: 200, body: await read(app, { workspaceId: caller.workspaceId, submissionId, assetId }) };
  },
});

export const changeReview = defineRoute({
  method: "PATCH",
  path,
  bucket: "submission_write",
  role: "reviewer",
  operationId: "changeReview",
  tag: "Review",
  summary: "Assign a review, or set when it is due",
  description: "What is left out stays; null removes it.",
  params: AssetParams,
  body: Body(
    {
      assigneeId: Maybe(Type.String({ format: "uuid", description: "Somebody who may review in this workspace." })),
      dueAt: Maybe(Timestamp),
    },
    { title: "ReviewChange" },
  ),
  bodyExample: { assigneeId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11", dueAt: "2026-11-20T17:00:00.000Z" },
  responses: {
    200: { description: "The review as it is now.", schema: ReviewWithDecisions, example: reviewWithDecisionsExample },
  },
  failures: ["mode_mismatch", "market_not_allowed", "not_found", "asset_not_finished", "asset_failed"],
  async handler({ app, caller, params, body }) {
    const { submission_id: submissionId, asset_id: assetId } = params;
    const dueAt = typeof body.dueAt === "string" ? new Date(body.dueAt) : body.dueAt;
    const changed = await change(app, { caller, submissionId, assetId, assigneeId: body.assigneeId, dueAt });
    return { status: 200, body: changed };
  },
});

export const claimReview = defineRoute({
  method: "POST",
  path: `${path}/claim`,
  bucket: "submission_write",
  role: "reviewer",
  operationId: "claimReview",
  tag: "Review",
  summary: "Claim a review while you work on it",
  description:
    "For 15 minutes nobody else can decide about the asset or its issues; claim again to go on. 409 while somebody else holds it.",
  params: AssetParams,
  responses: { 200: { description: "Yours.", schema: ReviewWithDecisions, example: reviewWithDecisionsExample } },
  failures: [
    "mode_mismatch",
    "market_not_allowed",
    "not_found",
    "asset_not_finished",
    "asset_failed",
    "review_claimed",
  ],
  async handler({ app, caller, params }) {
    const { submission_id: submissionId, asset_id: assetId } = params;
    return { status: 200, body: await claim(app, { caller, submissionId, assetId }) };
  },
});

export const releaseReview = defineRoute({
  method: "DELETE",
  path: `${path}/claim`,
  bucket: "submission_write",
  role: "reviewer",
  operationId: "releaseReview",
  tag: "Review",
  summary: "Release a review that you claimed",
  description: "An admin may release anybody's.",
  params: AssetParams,
  responses: { 204: { description: "Released.", schema: null } },
  failures: [
    "mode_mismatch",
    "market_not_allowed",
    "not_found",
    "asset_not_finished",
    "asset_failed",
    "review_claimed",
  ],
  async handler({ app, caller, params }) {
    const { submission_id: submissionId, asset_id: assetId } = params;
    await release(app, { caller, submissionId, assetId });
    return { status: 204 };
  },
});

export const decideReview = defineRoute({
  method: "POST",
  path: `${path}/decisions`,
  bucket: "submission_write",
  role: "reviewer",
  operationId: "decideReview",
  tag: "Review",
  summary: "Decide about an asset",
  description:
    "A decision supersedes the one before it, which stays. `approved_with_conditions` needs `conditions`; `rejected` and `changes_requested` need a `reason`. A reviewer may only escalate; the rest takes an approver. The rules of the workspace decide whether the uploader may approve, whether open CRITICAL issues block it, and whether a key may.",
  params: AssetParams,
  body: Body(
    {
      decision: DecisionName,
      reason: Maybe(Type.String({ maxLength: 4000 })),
      conditions: Type.Optional(
        Type.Unsafe<string[] | null>({
          type: ["array", "null"],
          items: { type: "string", minLength: 1, maxLength: 1000 },
          maxItems: 50,
          description: "What must hold, such as `after 21:00 only`.",
        }),
      ),
      markets: Type.Optional(
        Type.Unsafe<string[] | null>({
          type: ["array", "null"],
          items: { type: "string", minLength: 1, maxLength: 40 },
          maxItems: 100,
          description: "The markets it is about. Left out: those of the review.",
        }),
      ),
    },
    { title: "NewReviewDecision" },
  ),
  bodyExample: { decision: "approved", reason: "Claims are substantiated." },
  responses: { 201: { description: "Decided.", schema: Decision, example: decisionExample } },
  failures: [
    "mode_mismatch",
    "not_found",
    "asset_not_finished",
    "asset_failed",
    "person_required",
    "market_not_allowed",
    "review_claimed",
    "open_critical_issues",
    "own_upload",
  ],
  async handler({ app, caller, params, body }) {
    const { submission_id: submissionId, asset_id: assetId } = params;
    const decision = {
      decision: body.decision,
      reason: body.reason ?? undefined,
      conditions: body.conditions ?? [],
      markets: body.markets ?? [],
    };
    return { status: 201, body: await decide(app, { caller, submissionId, assetId, decision }) };
  },
});
