import { runAnalysisInChild } from "@greenlit/engine/child.ts";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import { type CleanMedium, readCleanMedia } from "@greenlit/engine/rules/clean-media.ts";
import type { Alarm } from "@greenlit/engine/rules/corpus.ts";
import type { Pack } from "@greenlit/engine/rules/load-packs.ts";
import { mediaTypeOf } from "@greenlit/engine/testing/golden.ts";

const limits = { memoryBytes: 2 * 2 ** 30, timeoutSeconds: 600 };

/** What all rules say above INFO about the honest media, each in the context that it is meant for. */
export async function alarmsOnMedia(packs: readonly Pack[]): Promise<{ media: CleanMedium[]; alarms: Alarm[] }> {
  await using models = openModels();
  const sidekicks = packs.map(({ sidekick }) => sidekick);
  const media = await readCleanMedia();
  const alarms: Alarm[] = [];
  for (const { name, path, context } of media) {
    const request = { file: path, mediaType: mediaTypeOf(name), sidekicks, context };
    const { findings } = await runAnalysisInChild(request, { ...limits, models });
    alarms.push(...findings.filter(({ severity }) => severity !== "INFO").map((finding) => ({ id: name, finding })));
  }
  return { media, alarms };
}
