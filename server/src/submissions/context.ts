import type { Context } from "@greenlit/engine/sidekick.ts";
import type { Submission } from "./settle.ts";

/** What the metadata declares about the asset. A value of the wrong kind is kept in the metadata and ignored here. */
export function contextOf({ metadata }: Pick<Submission, "metadata">): Context & Record<string, unknown> {
  const { jurisdictions, sector, channel, audience, destination } = metadata ?? {};
  return {
    ...(Array.isArray(jurisdictions) && { jurisdictions: jurisdictions.filter((item) => typeof item === "string") }),
    ...(typeof sector === "string" && { sector }),
    ...(typeof channel === "string" && { channel }),
    ...(typeof audience === "string" && { audience }),
    ...(typeof destination === "string" && { destination }),
  };
}
