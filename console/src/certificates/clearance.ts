import type { CertificateEnvelope } from "@greenlit/sdk/src/generated.ts";

/** What a certificate says, as far as the page shows it. */
export type Clearance = {
  wording: string;
  versionNumber: number;
  sizeBytes: number;
  decision: {
    decision: string;
    reason: string | null;
    conditions: string[];
    markets: string[];
    decidedBy: { kind: string; name: string | null; role?: string | null };
    decidedAt: string;
  };
  context: Record<string, unknown>;
  packs: { sidekickId: string; name: string; packVersion: string }[];
  issueCounts: Record<string, number>;
  dismissals: {
    fingerprint: string;
    ruleCode: string;
    severity: string;
    reason: string | null;
    reasonCode: string | null;
  }[];
  auditHead: string | null;
};

/** The signed text itself: the page shows what was signed, not what a row says about it. */
export function readClearance({ payload }: CertificateEnvelope): Clearance {
  const bytes = Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0));
  return (JSON.parse(new TextDecoder().decode(bytes)) as { predicate: Clearance }).predicate;
}
