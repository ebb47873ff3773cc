import type { Region } from "./evidence/evidence.ts";

export const severities = ["CRITICAL", "MAJOR", "MINOR", "INFO"] as const;
export type Severity = (typeof severities)[number];

/** Where it is: what applies, the rest null. */
export type Location = {
  startSeconds: number | null;
  endSeconds: number | null;
  page: number | null;
  region: Region | null;
  quote: string | null;
};

export type Measurement = { value: number; limit: number | null; unit: string };

export type Citation = { clause: string; url: string };

export type Precedent = { url: string; title: string; decision: string; date: string };

/** One problem. The server adds what only it can know: id, status, times and the reference number. */
export type Finding = {
  ruleCode: string;
  ruleVersion: string;
  /** What the rule is about, for titles. */
  ruleSummary: string;
  sidekickId: string;
  sidekickName: string;
  packVersion: string;
  summary: string;
  severity: Severity;
  severityReasoning: string;
  severityReasoningHeadline: string;
  /** True: the rule cannot decide it and asks for a person (status AWAITING_HUMAN_INPUT). */
  needsHuman: boolean;
  precedents: Precedent[];
  fingerprint: string;
  location: Location | null;
  measurement: Measurement | null;
  recommendation: string;
  citation: Citation | null;
  /** What a language model said about it, where a workspace allows one; the rules never do. */
  secondReader?: SecondReaderNote;
};

/** `rewording`: words in the place of the quote with which the rules find less; null: none was proposed that passed them. */
export type SecondReaderNote = { explanation: string; rewording: string | null };

export const nowhere: Location = { startSeconds: null, endSeconds: null, page: null, region: null, quote: null };
