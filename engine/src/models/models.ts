import type { Raster } from "../evidence/pixels/raster.ts";
import type { ReadCode } from "./read-code.ts";
import type { ReadLine, ReadOptions } from "./read-line.ts";

/**
 * What the models can do. They keep nothing between two calls, so that a process of theirs that ends costs nobody but
 * the call it was busy with. A call that is not awaited before the next is kept in memory until its turn comes.
 */
export type Models = {
  readText: (picture: Raster, options?: ReadOptions) => Promise<ReadLine[]>;
  /** The QR codes of a picture. */
  readCodes: (picture: Raster) => Promise<ReadCode[]>;
  /** How likely each 32 ms of the sound (512 samples, as many as fit) holds a voice, from the state that came before. */
  hearVoice: (samples: Int16Array, state: VoiceState) => Promise<{ likelihoods: number[]; state: VoiceState }>;
  /** The words of a few seconds of speech. */
  transcribe: (samples: Int16Array) => Promise<Utterance>;
  judgePicture: (picture: Raster) => Promise<{ nudity: number }>;
};

/** Where the detector of voices stands between two pieces of sound; null at the start. */
export type VoiceState = { memory: number[]; lastSamples: number[] } | null;

export type Utterance = {
  text: string;
  /** Natural logarithm of the likelihood of each token; empty where the model does not tell. */
  logLikelihoods: number[];
  /** Share of the words, 0 to 1, that are not known: a model that mishears makes up words. */
  unknownShare: number;
  /** The model would have gone on for ever, which it does when it hears no words that it knows. */
  isCutOff: boolean;
  /** ISO 639-1; null where the model does not tell. */
  language: string | null;
};
