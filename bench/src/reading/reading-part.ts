import type { Evidence, EvidenceKey } from "@greenlit/engine/evidence/evidence.ts";
import { gatherEvidence } from "@greenlit/engine/evidence/gather.ts";
import { describeOmissions } from "@greenlit/engine/evidence/omissions.ts";
import type { MediaType } from "@greenlit/engine/evidence/probe/media-type.ts";
import { probeFile } from "@greenlit/engine/evidence/probe/probe.ts";
import type { Models } from "@greenlit/engine/models/models.ts";
import type { Result } from "../report.ts";

/** One kit of `bench reading`. `only`: the files whose name has this in it. */
export type Part = (options: { models: Models; only: string }) => Promise<Result>;

export type Gathered = Evidence & { omissions: string[] };

export async function gather(
  models: Models,
  { file, mediaType, keys }: { file: string; mediaType: MediaType; keys: readonly EvidenceKey[] },
): Promise<Gathered> {
  const limits = { maxDurationSeconds: 600, signal: undefined, onProgress: () => undefined };
  const probe = await probeFile({ file, mediaType, ...limits });
  const evidence = await gatherEvidence({ file, mediaType, probe, needs: new Set(keys), models, ...limits });
  return { ...evidence, omissions: describeOmissions(evidence) };
}
