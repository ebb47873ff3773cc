import { sql, type Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { deliveriesChannel } from "./record-event.ts";

/** Wakes every worker, once the transaction commits, because something is due. */
export async function wakeDeliverers(trx: Kysely<Tables>): Promise<void> {
  await sql`select pg_notify(${deliveriesChannel}, '')`.execute(trx);
}
