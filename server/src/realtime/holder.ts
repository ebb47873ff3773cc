import type { Caller } from "../workspaces/caller.ts";

const sessionPrefix = "session ";

/** Who holds a stream or a token: a key, or a person's session in one workspace. Both end when that ends. */
export function holderOf({ actor, workspaceId }: Caller): string {
  return actor.kind === "key" ? actor.id : sessionHolder({ sessionId: actor.sessionId, workspaceId });
}

export function sessionHolder({ sessionId, workspaceId }: { sessionId: string; workspaceId: string }): string {
  return `${sessionPrefix}${sessionId} ${workspaceId}`;
}

/** The session of a holder; undefined when a key holds. */
export function sessionOf(holder: string): string | undefined {
  return holder.startsWith(sessionPrefix) ? holder.slice(sessionPrefix.length).split(" ")[0] : undefined;
}
