import { roles, type Role } from "../db/people-tables.ts";
import { Failure } from "../failure.ts";

export function hasRole(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

export function requireRole({ role }: { role: Role }, least: Role): void {
  if (!hasRole(role, least))
    throw new Failure(
      "role_required",
      `Your role in this workspace is ${role}; this needs ${least}. Ask an admin of the workspace.`,
    );
}
