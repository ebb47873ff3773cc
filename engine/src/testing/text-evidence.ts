import type { Super } from "../evidence/evidence.ts";
import { emptyEvidence } from "../evidence/empty-evidence.ts";
import { textProbe } from "../rules/self-test.ts";
import type { Evidence } from "../evidence/evidence.ts";

/** A super on screen; what a test does not care about is ordinary. */
export function makeSuper(text: string, startSeconds: number, endSeconds: number, more: Partial<Super> = {}): Super {
  return {
    text,
    startSeconds,
    endSeconds,
    heightLines: 40,
    heightShare: 40 / 1080,
    contrastRatio: 15,
    region: { x: 0.1, y: 0.8, width: 0.8, height: 0.05 },
    isMoving: false,
    confidence: 0.98,
    ...more,
  };
}

/** What was seen and heard in a film. */
export function filmSaying(options: {
  screen?: Super[];
  speech?: [text: string, start: number, end: number][];
}): Evidence {
  const evidence = emptyEvidence(textProbe("screen"));
  evidence.supers = { supers: options.screen ?? [], readerCalls: 0 };
  evidence.speech = {
    notJudged: null,
    segments: (options.speech ?? []).map(([text, startSeconds, endSeconds]) => ({
      text,
      startSeconds,
      endSeconds,
      confidence: 0.95,
      isDoubtful: false,
    })),
  };
  return evidence;
}

/** Pages of a document. */
export function documentSaying(...pages: string[]): Evidence {
  const evidence = emptyEvidence(textProbe("document"));
  evidence.document = {
    pages: pages.map((text, index) => ({ page: index + 1, text, blocks: [], needsReading: false })),
    cues: null,
    limits: [],
  };
  return evidence;
}
