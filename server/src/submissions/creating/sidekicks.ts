import type { Sidekick } from "@greenlit/engine/sidekick.ts";
import type { App } from "../../app.ts";
import { Failure } from "../../failure.ts";
import { notFound } from "../../not-found.ts";

export function findSidekick({ sidekicks }: App, sidekickId: string): Sidekick {
  const sidekick = sidekicks.find((candidate) => candidate.sidekickId === sidekickId);
  if (!sidekick) throw notFound("sidekick");
  return sidekick;
}

/** Left out: the defaults. Empty: none. Unknown: a 422 that says which. */
export async function chooseSidekicks(
  { sidekicks, workspaceDefaults }: App,
  options: { workspaceId: string; sidekickIds: string[] | undefined },
): Promise<string[]> {
  if (!options.sidekickIds) {
    const own = (await workspaceDefaults.of(options.workspaceId)).sidekickIds;
    // A pack that the operator has taken away since must not stop every submission.
    return sidekicks
      .filter(({ sidekickId, isDefault }) => own?.includes(sidekickId) ?? isDefault)
      .map(({ sidekickId }) => sidekickId);
  }
  const ids = [...new Set(options.sidekickIds.map((id) => id.toLowerCase()))];
  const unknown = options.sidekickIds.flatMap((id, index) =>
    sidekicks.some(({ sidekickId }) => sidekickId === id.toLowerCase())
      ? []
      : [{ path: `sidekickIds.${index}`, message: "is not a known sidekick" }],
  );
  if (unknown.length > 0)
    throw new Failure(
      "invalid_request",
      "One of the sidekicks does not exist. GET /api/integrations/sidekicks lists them.",
      {
        details: unknown,
      },
    );
  return ids;
}
