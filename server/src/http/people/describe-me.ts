import type { Session } from "../../people/sessions.ts";
import type { Caller } from "../../workspaces/caller.ts";

/** Who is signed in, where, and what they may do there. */
export function describeMe(session: Session, caller: Caller | undefined) {
  const { personId, email, name, sessionId, memberships } = session;
  return {
    personId,
    email,
    name,
    sessionId,
    workspaceId: caller?.workspaceId ?? null,
    role: caller?.actor.role ?? null,
    markets: caller?.actor.markets ?? null,
    mode: caller?.mode ?? ("live" as const),
    workspaces: memberships.map(({ workspaceId, workspaceName, role, markets }) => ({
      workspaceId,
      name: workspaceName,
      role,
      markets,
    })),
  };
}
