import type { Mode } from "../../db/tables.ts";
import { Failure } from "../../failure.ts";
import type { Membership, Session } from "../../people/sessions.ts";
import type { Caller } from "../../workspaces/caller.ts";

type Headers = Record<string, string | string[] | undefined>;

/** A person as a caller: in the workspace and mode that the headers name, or the session's workspace and live. */
export function callerOf(session: Session, headers: Headers): Caller | undefined {
  const membership = findMembership(session, headers["x-greenlit-workspace"]);
  if (!membership) return undefined;
  const { workspaceId, plan, role, markets } = membership;
  const { personId: id, name, sessionId } = session;
  return {
    workspaceId,
    plan,
    mode: modeOf(headers["x-greenlit-mode"]),
    actor: { kind: "person", id, name, role, markets, sessionId },
  };
}

function findMembership(session: Session, named: string | string[] | undefined): Membership | undefined {
  const { memberships, workspaceId } = session;
  if (named === undefined || named === "")
    return memberships.find((membership) => membership.workspaceId === workspaceId) ?? memberships[0];
  const membership = memberships.find((candidate) => candidate.workspaceId === named);
  if (!membership)
    throw new Failure("not_found", "You are not in that workspace. Check X-Greenlit-Workspace against GET /me.");
  return membership;
}

function modeOf(mode: string | string[] | undefined): Mode {
  if (mode === undefined || mode === "" || mode === "live") return "live";
  if (mode === "sandbox") return "sandbox";
  throw new Failure("invalid_request", "X-Greenlit-Mode must be live or sandbox.", {
    details: [{ path: "X-Greenlit-Mode", message: "must be live or sandbox" }],
  });
}
