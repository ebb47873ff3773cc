import { emptyEvidence } from "../evidence/empty-evidence.ts";
import type { EvidenceKey } from "../evidence/evidence.ts";
import { gatherEvidence } from "../evidence/gather.ts";
import type { MediaType } from "../evidence/probe/media-type.ts";
import { probeFile } from "../evidence/probe/probe.ts";
import type { Probe } from "../evidence/probe/probe-shape.ts";
import { defaultMaxDurationSeconds } from "../evidence/probe/too-long.ts";
import type { Models } from "../models/models.ts";
import { createFilmPrint, type Sampling } from "./film-print.ts";
import { type ContentPrint, printContent } from "./make-print.ts";

export type PrintedFile = { file: string; mediaType: MediaType; sha256: string };

/** What a file shows and plays, without reading or hearing any of its words; those of documents excepted. */
export async function printFile(
  options: PrintedFile & { models: Models; probe?: Probe; sampling?: Sampling; signal?: AbortSignal | undefined },
): Promise<{ probe: Probe; print: ContentPrint }> {
  const { file, mediaType, sha256, models, signal } = options;
  const maxDurationSeconds = defaultMaxDurationSeconds;
  const probe = options.probe ?? (await probeFile({ file, mediaType, maxDurationSeconds, signal }));
  const film = createFilmPrint(probe, { ...(options.sampling && { sampling: options.sampling }), wantsShots: false });
  const needs = new Set<EvidenceKey>(probe.kind === "document" ? ["document"] : []);
  const isPlayed = probe.video !== null || probe.audio !== null;
  const evidence =
    isPlayed || needs.size > 0
      ? await gatherEvidence({
          file,
          mediaType,
          probe,
          needs,
          models,
          maxDurationSeconds,
          film,
          signal,
          onProgress: () => undefined,
        })
      : emptyEvidence(probe);
  return { probe, print: await printContent({ file, mediaType, probe, sha256, film, evidence, signal }) };
}
