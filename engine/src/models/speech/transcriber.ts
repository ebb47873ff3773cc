import type { Utterance } from "../models.ts";

/** Turns a few seconds of speech into words. */
export type Transcriber = { transcribe: (samples: Int16Array) => Promise<Utterance> };
