import type { ActorKind, Role } from "../db/people-tables.ts";
import type { Mode } from "../db/tables.ts";

/** Who is calling, in which workspace and mode. */
export type Caller = { workspaceId: string; plan: string; mode: Mode; actor: KeyActor | PersonActor };

/** A key acts for a program of the workspace, which could do anything before there were people. */
export type KeyActor = { kind: "key"; id: string; name: string | null; role: "admin"; markets: null };

export type PersonActor = {
  kind: "person";
  id: string;
  name: string;
  role: Role;
  /** Null: all markets. */
  markets: string[] | null;
  sessionId: string;
};

/** Who made a change, as the audit keeps it. The operator uses the command line. */
export type Actor = { kind: ActorKind; id: string | null; name: string | null };

export const operator: Actor = { kind: "operator", id: null, name: null };
