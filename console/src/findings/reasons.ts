import type { IssueDecision } from "@greenlit/sdk/src/generated.ts";

type ReasonCode = NonNullable<IssueDecision["reasonCode"]>;

/** Why a finding is dismissed, by the keys 1 to 6. */
export const reasons: readonly { code: ReasonCode; label: string }[] = [
  { code: "FALSE_POSITIVE", label: "False positive" },
  { code: "SUBSTANTIATED", label: "Substantiated" },
  { code: "NOT_APPLICABLE", label: "Not applicable" },
  { code: "RISK_ACCEPTED", label: "Risk accepted" },
  { code: "DUPLICATE", label: "Duplicate" },
  { code: "OTHER", label: "Other" },
];
