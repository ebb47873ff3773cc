import { uuidv7 } from "../db/uuid.ts";
import { nameTerms } from "./name-terms.ts";
import type { Asset, Submission } from "../submissions/submission.ts";

/** What an analysis says about the review that it opens. */
export type ReviewFacts = {
  markets: string[];
  /** Issues that are neither resolved nor dismissed. */
  openCounts: { CRITICAL: number; MAJOR: number; MINOR: number; INFO: number };
  undecidedCount: number;
};

export const noFacts: ReviewFacts = {
  markets: [],
  openCounts: { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 },
  undecidedCount: 0,
};

/** The review of an asset that completes, for a statement that has `openReviews`. */
export function writeReview(options: { submission: Submission; asset: Asset; facts: ReviewFacts; now: Date }) {
  const { submission, asset, facts, now } = options;
  return {
    reviewId: uuidv7(now.getTime()),
    assetId: asset.assetId,
    mode: submission.mode,
    filename: asset.filename,
    terms: nameTerms(asset.filename),
    contentType: asset.contentType,
    versionGroupId: asset.versionGroupId,
    versionNumber: asset.versionNumber,
    markets: facts.markets,
    critical: facts.openCounts.CRITICAL,
    major: facts.openCounts.MAJOR,
    minor: facts.openCounts.MINOR,
    info: facts.openCounts.INFO,
    undecided: facts.undecidedCount,
    uploaderKind: submission.actorKind,
    uploaderId: submission.actorId,
  };
}

/**
 * A part of a statement that opens reviews (`:reviews`) of a submission at a time (`:now`), after a part `submission`
 * that is empty when nothing may be stored. The reviewer of the version before gets the next one.
 */
export const openReviews = `review as (
    insert into reviews (review_id, asset_id, submission_id, workspace_id, mode, state, filename, content_type,
        version_group_id, version_number, markets, critical_count, major_count, minor_count, info_count, undecided_count,
        uploader_kind, uploader_id, assignee_id, opened_at, updated_at, terms)
      select opened."reviewId", opened."assetId", submission.submission_id, submission.workspace_id, opened.mode,
          'awaiting_review', opened.filename, opened."contentType", opened."versionGroupId", opened."versionNumber",
          opened.markets, opened.critical, opened.major, opened.minor, opened.info, opened.undecided,
          opened."uploaderKind", opened."uploaderId",
          (select earlier.assignee_id from reviews earlier where earlier.version_group_id = opened."versionGroupId"
            and earlier.workspace_id = submission.workspace_id order by earlier.version_number desc limit 1),
          :now::timestamptz, :now::timestamptz, opened.terms
        from submission, jsonb_to_recordset(:reviews) as opened ("reviewId" uuid, "assetId" uuid, mode text,
          filename text, "contentType" text, "versionGroupId" uuid, "versionNumber" integer, markets text[],
          critical integer, major integer, minor integer, info integer, undecided integer, "uploaderKind" text,
          "uploaderId" uuid, terms text[])
      on conflict (asset_id) do nothing
  )`;
