import type { ColumnType, Generated } from "kysely";

/** The rows as they are; names are snake_case in the database and camelCase here. */
export type Tables = {
  workspaces: {
    workspaceId: string;
    name: string;
    plan: string;
    /** Null: the workspace is not metered. */
    creditBalance: number | null;
    createdAt: Timestamp;
  };
  apiKeys: {
    keyId: string;
    workspaceId: string;
    mode: Mode;
    name: string | null;
    keyHash: Buffer;
    keyHint: string;
    createdAt: Timestamp;
    expiresAt: Date | null;
    revokedAt: Date | null;
    lastUsedAt: Date | null;
  };
  creditLedger: {
    entryId: string;
    workspaceId: string;
    kind: "grant";
    amount: number;
    createdAt: Timestamp;
  };
  rateSlots: { keyId: string; bucket: string; slot: number; hits: number };
  deployment: { name: string; value: string };
};

export type Mode = "live" | "sandbox";

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string> & Generated<Date>;
