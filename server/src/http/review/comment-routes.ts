import { Type } from "typebox";
import {
  changeComment as change,
  createComment as create,
  deleteComment as remove,
  listComments as list,
  type DescribedComment,
} from "../../review/comments.ts";
import { Page, pageQuery, readPage } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, Uuid } from "../schemas.ts";
import { AssetParams } from "../submissions/schemas.ts";
import { commentExample } from "./examples.ts";
import { Comment, placeProperties } from "./schemas.ts";

const path = "/submissions/:submission_id/assets/:asset_id/comments";
const CommentParams = Type.Object({ submission_id: Uuid, asset_id: Uuid, comment_id: Uuid });
const Text = Type.String({ minLength: 1, maxLength: 10_000 });

export const listComments = defineRoute({
  method: "GET",
  path,
  bucket: "submission_read",
  role: "viewer",
  operationId: "listComments",
  tag: "Review",
  summary: "List the comments of an asset",
  description:
    "Oldest first: those of this version, and the open threads of earlier versions with `fromVersion`. A thread on an issue follows its finding into the next version.",
  params: AssetParams,
  query: Body(pageQuery({ most: 500, usual: 100 })),
  responses: {
    200: {
      description: "One page.",
      schema: Page(Comment, "CommentPage"),
      example: { data: [commentExample], hasMore: false, nextCursor: null },
    },
  },
  failures: ["not_found"],
  async handler({ app, caller, params, query }) {
    const { submission_id: submissionId, asset_id: assetId } = params;
    const ids = { workspaceId: caller.workspaceId, submissionId, assetId };
    const page = await readPage<DescribedComment>(query, {
      usual: 100,
      idOf: ({ commentId }) => commentId,
      list: (span) => list(app, { ...ids, ...span }),
    });
    return { status: 200, body: page };
  },
});

export const createComment = defineRoute({
  method: "POST",
  path,
  bucket: "submission_write",
  role: "reviewer",
  operationId: "createComment",
  tag: "Review",
  summary: "Comment on an asset",
  description: "On all of it, or on a moment, a range, a box, a page or an issue. With `threadId` it answers a thread.",
  params: AssetParams,
  body: Body(
    {
      text: Text,
      threadId: Maybe(Type.String({ format: "uuid", description: "The comment that began the thread." })),
      anchor: Type.Optional(Body({ ...placeProperties, issueId: Maybe(Type.String({ format: "uuid" })) })),
    },
    { title: "NewComment" },
  ),
  bodyExample: { text: "The small print is gone too soon.", anchor: { startSeconds: 12.48, endSeconds: 14 } },
  responses: { 201: { description: "Written.", schema: Comment, example: commentExample } },
  failures: ["not_found"],
  async handler({ app, caller, params, body }) {
    const { submission_id: submissionId, asset_id: assetId } = params;
    const { text, anchor, threadId } = body;
    const created = await create(app, { caller, submissionId, assetId, text, anchor, threadId: threadId ?? undefined });
    return { status: 201, body: created };
  },
});

export const changeComment = defineRoute({
  method: "PATCH",
  path: `${path}/:comment_id`,
  bucket: "submission_write",
  role: "reviewer",
  operationId: "changeComment",
  tag: "Review",
  summary: "Change a comment, or resolve its thread",
  description: "Its author changes the text; anybody who reviews resolves a thread or opens it again.",
  params: CommentParams,
  body: Body({ text: Maybe(Text), isResolved: Maybe(Type.Boolean()) }, { title: "CommentChange" }),
  bodyExample: { isResolved: true },
  responses: { 200: { description: "Changed.", schema: Comment, example: commentExample } },
  failures: ["not_found"],
  async handler({ app, caller, params, body }) {
    const { submission_id: submissionId, asset_id: assetId, comment_id: commentId } = params;
    const text = body.text ?? undefined;
    const isResolved = body.isResolved ?? undefined;
    return { status: 200, body: await change(app, { caller, submissionId, assetId, commentId, text, isResolved }) };
  },
});

export const deleteComment = defineRoute({
  method: "DELETE",
  path: `${path}/:comment_id`,
  bucket: "submission_write",
  role: "reviewer",
  operationId: "deleteComment",
  tag: "Review",
  summary: "Delete a comment",
  description: "Your own; an admin anybody's. Answers to a deleted thread are not shown any more.",
  params: CommentParams,
  responses: { 204: { description: "Deleted.", schema: null } },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    const { submission_id: submissionId, asset_id: assetId, comment_id: commentId } = params;
    await remove(app, { caller, submissionId, assetId, commentId });
    return { status: 204 };
  },
});
