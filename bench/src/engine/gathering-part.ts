import type { EvidenceKey } from "@greenlit/engine/evidence/evidence.ts";
import { gatherEvidence } from "@greenlit/engine/evidence/gather.ts";
import { probeFile } from "@greenlit/engine/evidence/probe/probe.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";

/** A process that gathers evidence of one clip as the analysis does, and says on standard output what it found. */
const [file = "", ...keys] = process.argv.slice(2);
const mediaType = { contentType: "video/mp4", category: "video" } as const;
const maxDurationSeconds = 4 * 3600;
const probe = await probeFile({ file, mediaType, maxDurationSeconds });
await using models = openModels();
const evidence = await gatherEvidence({
  file,
  mediaType,
  probe,
  needs: new Set(keys as EvidenceKey[]),
  models,
  maxDurationSeconds,
  signal: undefined,
  onProgress: () => undefined,
});
const found = {
  integratedLufs: evidence.loudness?.integratedLufs ?? null,
  supers: evidence.supers?.supers.map(({ text, startSeconds }) => `${startSeconds} ${text}`) ?? null,
  readerCalls: evidence.supers?.readerCalls ?? null,
  spoken: evidence.speech?.segments.map(({ text }) => text).join(" ") ?? null,
};
process.stdout.write(JSON.stringify(found));
