import type { Context } from "@greenlit/engine/sidekick.ts";
import type { Submission } from "../submission.ts";

/** What the metadata declares about the asset; what it leaves out is the workspace's default. A value of the wrong kind is kept in the metadata and ignored here. */
export function contextOf(
  { metadata }: Pick<Submission, "metadata">,
  defaults: Context,
): Context & Record<string, unknown> {
  const { jurisdictions, sector, channel, audience, destination, brand, product } = metadata ?? {};
  return {
    ...defaults,
    ...(Array.isArray(jurisdictions) && { jurisdictions: jurisdictions.filter((item) => typeof item === "string") }),
    ...(typeof sector === "string" && { sector }),
    ...(typeof channel === "string" && { channel }),
    ...(typeof audience === "string" && { audience }),
    ...(typeof destination === "string" && { destination }),
    ...(typeof brand === "string" && { brand }),
    ...(typeof product === "string" && { product }),
  };
}
