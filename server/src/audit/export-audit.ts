import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { chainWaiting } from "./chain-audit.ts";
import { describeEntry, readAllAudit } from "./read-audit.ts";

export const auditFormats = ["ndjson", "csv"] as const;
export type AuditFormat = (typeof auditFormats)[number];

/** The whole audit of a workspace as text, in order, a line an entry. */
export async function* exportAudit(
  db: Kysely<Tables>,
  { workspaceId, format }: { workspaceId: string; format: AuditFormat },
): AsyncGenerator<string> {
  await chainWaiting(db, workspaceId);
  if (format === "csv") yield `${columns.join(",")}\r\n`;
  for await (const row of readAllAudit(db, workspaceId)) {
    const entry = describeEntry(row);
    if (format === "ndjson") yield `${JSON.stringify(entry)}\n`;
    else {
      const { actor, target } = entry;
      const cells = [
        entry.number,
        entry.createdAt,
        actor.kind,
        actor.id,
        actor.name,
        entry.action,
        target.kind,
        target.id,
        JSON.stringify(entry.detail),
        entry.hash,
      ];
      yield `${cells.map((cell) => csvCell(String(cell ?? ""))).join(",")}\r\n`;
    }
  }
}

const columns = [
  "number",
  "created_at",
  "actor_kind",
  "actor_id",
  "actor_name",
  "action",
  "target_kind",
  "target_id",
  "detail",
  "hash",
];

/** A text that begins like a formula would be run by a spreadsheet. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
