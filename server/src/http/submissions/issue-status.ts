import { Type } from "typebox";
import { reasonCodes } from "../../db/people-tables.ts";
import { changeIssueStatus as change, readIssue as read } from "../../submissions/issues/change-issue-status.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, OneOf } from "../schemas.ts";
import { Issue, IssueParams, IssueStatus, IssueWithHistory } from "./schemas.ts";
import { issueExample, issueWithHistoryExample } from "./examples.ts";

const path = "/submissions/:submission_id/assets/:asset_id/issues/:issue_id";

export const readIssue = defineRoute({
  method: "GET",
  path,
  bucket: "submission_read",
  role: "viewer",
  operationId: "readIssue",
  tag: "Results",
  summary: "Read one issue with the history of its status",
  description: "Everything about one issue, and who decided what about it, when and why.",
  params: IssueParams,
  responses: { 200: { description: "The issue.", schema: IssueWithHistory, example: issueWithHistoryExample } },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    const { submission_id: submissionId, asset_id: assetId, issue_id: issueId } = params;
    return { status: 200, body: await read(app, { workspaceId: caller.workspaceId, submissionId, assetId, issueId }) };
  },
});

export const changeIssueStatus = defineRoute({
  method: "PATCH",
  path,
  bucket: "submission_write",
  role: "reviewer",
  operationId: "changeIssueStatus",
  tag: "Results",
  summary: "Decide about an issue",
  description:
    "Sets the status of an issue, with a reason. When the same finding comes back in the next version, DISMISSED and ACKNOWLEDGED are carried over as long as rule, context and severity are unchanged or milder; RESOLVED becomes OPEN with `reopened: true`.",
  params: IssueParams,
  body: Body(
    { status: IssueStatus, reason: Maybe(Type.String({ maxLength: 2000 })), reasonCode: Maybe(OneOf(reasonCodes)) },
    { title: "IssueDecision" },
  ),
  bodyExample: { status: "DISMISSED", reason: "The claim is substantiated; see file 12." },
  responses: {
    200: { description: "The issue as it is now.", schema: Issue, example: { ...issueExample, status: "DISMISSED" } },
  },
  failures: ["mode_mismatch", "market_not_allowed", "not_found", "review_claimed"],
  async handler({ app, caller, params, body }) {
    const { submission_id: submissionId, asset_id: assetId, issue_id: issueId } = params;
    const decision = {
      status: body.status,
      reason: body.reason ?? undefined,
      reasonCode: body.reasonCode ?? undefined,
    };
    return {
      status: 200,
      body: await change(app, { caller, submissionId, assetId, issueId, decision }),
    };
  },
});
