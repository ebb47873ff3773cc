import type { EvidenceKey } from "@greenlit/engine/evidence/evidence.ts";
import { gatherEvidence } from "@greenlit/engine/evidence/gather.ts";
import { probeFile } from "@greenlit/engine/evidence/probe/probe.ts";
import { rememberDecoder } from "@greenlit/engine/evidence/decode/decoder.ts";
import { useBuiltCode } from "@greenlit/engine/jail/built-code.ts";
import { rememberJail } from "@greenlit/engine/jail/jail.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import type { KnownToService } from "./gathering.ts";

/**
 * A process that gathers evidence of one clip as the analysis does, and says on standard output what it found and how
 * many seconds after its start. With `again` it does so twice: in a service the models are loaded.
 */
const [known = "", file = "", ...words] = process.argv.slice(2);
const { code, jail, decoder } = JSON.parse(known) as KnownToService;
useBuiltCode(code);
rememberJail(jail);
rememberDecoder(decoder);
const keys = words.filter((word) => word !== "again");
const mediaType = { contentType: "video/mp4", category: "video" } as const;
const maxDurationSeconds = 4 * 3600;
await using models = openModels();
const gather = async () =>
  gatherEvidence({
    file,
    mediaType,
    probe: await probeFile({ file, mediaType, maxDurationSeconds }),
    needs: new Set(keys as EvidenceKey[]),
    models,
    maxDurationSeconds,
    signal: undefined,
    onProgress: () => undefined,
  });
const evidence = await gather();
const seconds = performance.now() / 1000;
if (words.includes("again")) await gather();
const found = {
  seconds,
  againSeconds: performance.now() / 1000 - seconds,
  integratedLufs: evidence.loudness?.integratedLufs ?? null,
  supers: evidence.supers?.supers.map(({ text, startSeconds }) => `${startSeconds} ${text}`) ?? null,
  readerCalls: evidence.supers?.readerCalls ?? null,
  spoken: evidence.speech?.segments.map(({ text }) => text).join(" ") ?? null,
};
process.stdout.write(JSON.stringify(found));
