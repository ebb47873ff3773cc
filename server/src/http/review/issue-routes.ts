import { Type } from "typebox";
import { reasonCodes } from "../../db/people-tables.ts";
import { Failure } from "../../failure.ts";
import { decideIssues as decide } from "../../review/decide-issues.ts";
import { reportIssue as report } from "../../review/report-issue.ts";
import { findIssues } from "../../review/find-issues.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, OneOf, Uuid } from "../schemas.ts";
import { issueExample } from "../submissions/examples.ts";
import { AssetParams, Issue, IssueStatus, Severity } from "../submissions/schemas.ts";
import { placeProperties } from "./schemas.ts";

const path = "/submissions/:submission_id/assets/:asset_id/issues";

export const reportIssue = defineRoute({
  method: "POST",
  path,
  bucket: "submission_write",
  role: "reviewer",
  operationId: "reportIssue",
  tag: "Review",
  summary: "Report an issue that no rule found",
  description: "It is one of the asset's issues from then on, of the sidekick `Reviewers`.",
  params: AssetParams,
  body: Body(
    {
      summary: Type.String({ minLength: 1, maxLength: 2000 }),
      severity: Severity,
      ruleCode: Maybe(
        Type.String({
          pattern: "^[A-Z0-9][A-Z0-9._-]{0,63}$",
          description: "The rule it breaks; `REVIEWER` when left out.",
        }),
      ),
      reasoning: Maybe(Type.String({ maxLength: 4000 })),
      recommendation: Maybe(Type.String({ maxLength: 4000 })),
      location: Type.Optional(Body({ ...placeProperties, quote: Maybe(Type.String({ maxLength: 2000 })) })),
    },
    { title: "NewIssue" },
  ),
  bodyExample: {
    summary: "The logo of a competitor is in the background.",
    severity: "MINOR",
    location: { startSeconds: 3 },
  },
  responses: { 201: { description: "Reported.", schema: Issue, example: issueExample } },
  failures: [
    "mode_mismatch",
    "market_not_allowed",
    "not_found",
    "asset_not_finished",
    "asset_failed",
    "review_claimed",
  ],
  async handler({ app, caller, params, body }) {
    const { submission_id: submissionId, asset_id: assetId } = params;
    const issue = {
      summary: body.summary,
      severity: body.severity,
      ruleCode: body.ruleCode ?? undefined,
      reasoning: body.reasoning ?? undefined,
      recommendation: body.recommendation ?? undefined,
      location: body.location,
    };
    return { status: 201, body: await report(app, { caller, submissionId, assetId, issue }) };
  },
});

export const decideIssues = defineRoute({
  method: "POST",
  path: `${path}/decide`,
  bucket: "submission_write",
  role: "reviewer",
  operationId: "decideIssues",
  tag: "Review",
  summary: "Decide about many issues at once",
  description:
    "Those of `issueIds`, or all that `filter` matches: at most 10,000, all or none, with one reason. Where the workspace wants a second person to dismiss CRITICAL issues, theirs are proposed, and counted in `proposed`.",
  params: AssetParams,
  body: Body(
    {
      issueIds: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 10_000, uniqueItems: true })),
      filter: Type.Optional(
        Body(
          {
            severity: Maybe(Severity),
            status: Maybe(IssueStatus),
            ruleCode: Maybe(Type.String({ maxLength: 200 })),
            sidekickId: Maybe(Type.String({ format: "uuid" })),
          },
          { description: "All that match; `{}` is every issue of the asset." },
        ),
      ),
      status: IssueStatus,
      reason: Maybe(Type.String({ maxLength: 2000 })),
      reasonCode: Maybe(OneOf(reasonCodes)),
    },
    { title: "IssueDecisions" },
  ),
  bodyExample: { filter: { ruleCode: "US-ALC-HEALTH" }, status: "DISMISSED", reasonCode: "SUBSTANTIATED" },
  responses: {
    200: {
      description: "Decided.",
      schema: Type.Object(
        {
          decided: Type.Integer({ description: "Issues that have the new status." }),
          proposed: Type.Integer({ description: "CRITICAL issues whose dismissal waits for a second person." }),
        },
        { title: "IssueDecisionsResult" },
      ),
      example: { decided: 12, proposed: 0 },
    },
  },
  failures: [
    "mode_mismatch",
    "market_not_allowed",
    "not_found",
    "asset_not_finished",
    "asset_failed",
    "review_claimed",
  ],
  async handler({ app, caller, params, body }) {
    const { submission_id: submissionId, asset_id: assetId } = params;
    const { issueIds, filter, status } = body;
    if ((issueIds === undefined) === (filter === undefined))
      throw new Failure("invalid_request", "The request body is not valid: send either issueIds or filter.", {
        details: [{ path: "issueIds", message: "either this or filter is required, not both" }],
      });
    const { workspaceId } = caller;
    const decision = { status, reason: body.reason ?? undefined, reasonCode: body.reasonCode ?? undefined };
    const { decided, proposed } = await decide(app, {
      caller,
      submissionId,
      assetId,
      decision,
      find: (trx) => findIssues(trx, { workspaceId, assetId, issueIds, filter: filter ?? {} }),
    });
    return { status: 200, body: { decided, proposed } };
  },
});
