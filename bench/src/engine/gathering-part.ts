import type { EvidenceKey } from "@greenlit/engine/evidence/evidence.ts";
import { gatherEvidence } from "@greenlit/engine/evidence/gather.ts";
import { probeFile } from "@greenlit/engine/evidence/probe/probe.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";

/**
 * A process that gathers evidence of one clip as the analysis does, and says on standard output what it found. With
 * `again` it does so twice, and says how long the second time took: in a service the models are loaded.
 */
const [file = "", ...words] = process.argv.slice(2);
const keys = words.filter((word) => word !== "again");
const mediaType = { contentType: "video/mp4", category: "video" } as const;
const maxDurationSeconds = 4 * 3600;
const probe = await probeFile({ file, mediaType, maxDurationSeconds });
await using models = openModels();
const gather = () =>
  gatherEvidence({
    file,
    mediaType,
    probe,
    needs: new Set(keys as EvidenceKey[]),
    models,
    maxDurationSeconds,
    signal: undefined,
    onProgress: () => undefined,
  });
const evidence = await gather();
const startedAt = performance.now();
if (words.includes("again")) await gather();
const found = {
  againSeconds: (performance.now() - startedAt) / 1000,
  integratedLufs: evidence.loudness?.integratedLufs ?? null,
  supers: evidence.supers?.supers.map(({ text, startSeconds }) => `${startSeconds} ${text}`) ?? null,
  readerCalls: evidence.supers?.readerCalls ?? null,
  spoken: evidence.speech?.segments.map(({ text }) => text).join(" ") ?? null,
};
process.stdout.write(JSON.stringify(found));
