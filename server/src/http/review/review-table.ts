import type { Route } from "../route.ts";
import { changeComment, createComment, deleteComment, listComments } from "./comment-routes.ts";
import { decideIssues, reportIssue } from "./issue-routes.ts";
import { changeReview, claimReview, decideReview, listReviews, readReview, releaseReview } from "./review-routes.ts";

export const reviewRoutes: readonly Route[] = [
  listReviews,
  readReview,
  changeReview,
  claimReview,
  releaseReview,
  decideReview,
  listComments,
  createComment,
  changeComment,
  deleteComment,
  reportIssue,
  decideIssues,
];
