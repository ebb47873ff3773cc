import { readFile, writeFile } from "node:fs/promises";
import type { EvidenceKey } from "@greenlit/engine/evidence/evidence.ts";
import { gatherEvidence } from "@greenlit/engine/evidence/gather.ts";
import { probeFile } from "@greenlit/engine/evidence/probe/probe.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import { compareFile } from "@greenlit/engine/print/compare-file.ts";
import { createFilmPrint } from "@greenlit/engine/print/film-print.ts";
import { makePrint } from "@greenlit/engine/print/make-print.ts";
import { packPrint, unpackPrint } from "@greenlit/engine/print/pack-print.ts";

/** A process that makes the one pass over a clip (`pass`), the same with a print (`print`), or compares it (`verify`). */
const [mode = "", file = "", printFile = "", ...keys] = process.argv.slice(2);
const mediaType = { contentType: "video/mp4", category: "video" } as const;
await using models = openModels();

if (mode === "verify") {
  const master = unpackPrint(await readFile(printFile));
  // Another hash: otherwise the file would be the same without a look at it.
  const { match } = await compareFile(master, { file, mediaType, sha256: "0".repeat(64), models });
  process.stdout.write(match);
} else {
  const maxDurationSeconds = 4 * 3600;
  const probe = await probeFile({ file, mediaType, maxDurationSeconds });
  const film = mode === "print" ? createFilmPrint(probe, { wantsShots: true }) : undefined;
  const evidence = await gatherEvidence({
    file,
    mediaType,
    probe,
    needs: new Set(keys as EvidenceKey[]),
    models,
    maxDurationSeconds,
    film,
    signal: undefined,
    onProgress: () => undefined,
  });
  if (film) {
    const sha256 = "1".repeat(64);
    const print = await makePrint({ file, mediaType, probe, evidence, findings: [], film, sha256, signal: undefined });
    await writeFile(printFile, packPrint(print));
  }
}
