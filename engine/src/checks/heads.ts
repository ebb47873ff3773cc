import type { TextTrack } from "../text/asset-text.ts";

/**
 * Small models that know a topic by example (kind `meaning`). Left out where none are trained: then concepts alone
 * decide.
 */
export type Heads = {
  /** What the head of a topic thinks of a track; null where there is no such head. */
  score: (topic: string, track: TextTrack) => HeadScore | null;
};

export type HeadScore = {
  /** `offends`: above the head's threshold; `honest`: it is sure that the text is not of its topic. */
  verdict: "offends" | "unsure" | "honest";
  score: number;
  /** The part of the track that speaks loudest. */
  start: number;
  end: number;
  /** Its weightiest words and the nearest example, for people. */
  reason: string;
};
