import type { SpeechSegment } from "@greenlit/engine/evidence/evidence.ts";
import type { App } from "../../app.ts";
import type { AssetIds } from "./read-asset.ts";
import { readStored } from "./read-measurements.ts";

/** What is said, in order; nothing when nobody speaks or nobody asked. */
export async function readTranscript(app: App, ids: AssetIds): Promise<SpeechSegment[]> {
  const { speech } = await readStored(app, ids, ["speech"]);
  return speech?.segments ?? [];
}
