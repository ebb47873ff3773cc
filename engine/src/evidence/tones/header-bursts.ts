import type { HeardTone } from "./attention-tones.ts";
import { soundSampleRate } from "../evidence.ts";

const bitsPerSecond = 3125 / 6;
const samplesPerBit = soundSampleRate / bitsPerSecond;
const markHertz = 4 * bitsPerSecond;
const spaceHertz = 3 * bitsPerSecond;
/** One bit: over it the two tones do not hear each other, because they differ by one turn. */
const windowSamples = Math.round(samplesPerBit);

/** Four of the sixteen bytes 0xAB that begin every burst, least bit first. Chance makes them once in many years. */
const preamble = 0xabab_abab;

const blockSamples = 320;
const minBlockShare = 0.5;
const maxGapBlocks = 2;
const quietestPower = 10 ** (-60 / 10);

/**
 * Bursts of the EAS header and end-of-message codes: decodes the two-tone signal bit by bit and looks for the preamble,
 * so no music is taken for one. Not found: a burst whose first quarter of a second is cut off or under other sound.
 */
export function createHeaderDetector() {
  const mark = createCorrelator(markHertz);
  const space = createCorrelator(spaceHertz);
  const squares = new Float64Array(windowSamples);
  const found: HeardTone[] = [];
  let energy = 0;
  let received = 0;
  let isMark = false;
  let bitPhase = 0;
  let bits = 0;
  let hits = 0;
  let blockEnergy = 0;
  let run: { start: number; end: number; energy: number; isHeader: boolean } | null = null;

  function accept(samples: Int16Array): void {
    for (const sample of samples) step(sample / 32_768);
  }

  function step(value: number): void {
    const slot = received % windowSamples;
    energy += value * value - (squares[slot] as number);
    squares[slot] = value * value;
    const markPower = mark(value);
    const spacePower = space(value);
    const isTone =
      energy > quietestPower * windowSamples &&
      2 * Math.max(markPower, spacePower) > minBlockShare * windowSamples * energy;
    if (isTone) hits += 1;
    blockEnergy += value * value;
    received += 1;
    readBit(markPower > spacePower);
    if (received % blockSamples === 0) endBlock();
  }

  /** Each change between the tones resets the clock; half a bit later the next bit is read. */
  function readBit(isMarkNow: boolean): void {
    bitPhase += 1 / samplesPerBit;
    if (isMarkNow !== isMark) {
      isMark = isMarkNow;
      bitPhase = 0.5;
    }
    if (bitPhase < 1) return;
    bitPhase -= 1;
    bits = ((bits >>> 1) | (isMark ? 0x8000_0000 : 0)) >>> 0;
    if (bits === preamble && run !== null) run.isHeader = true;
  }

  function endBlock(): void {
    const isTone = hits > 0.5 * blockSamples;
    if (isTone) {
      run ??= { start: received - blockSamples, end: received, energy: 0, isHeader: false };
      run.end = received;
      run.energy += blockEnergy;
    } else if (run !== null && received - run.end > maxGapBlocks * blockSamples) {
      endRun();
    }
    hits = 0;
    blockEnergy = 0;
  }

  function endRun(): void {
    if (run?.isHeader === true) {
      const levelDbfs = 10 * Math.log10(run.energy / (run.end - run.start));
      found.push({ kind: "eas_header", startSample: run.start, endSample: run.end, levelDbfs });
    }
    run = null;
  }

  function finish(): HeardTone[] {
    endRun();
    return found;
  }

  return { accept, finish };
}

/** The power of a tone over the last bit, sample by sample. */
function createCorrelator(hertz: number): (value: number) => number {
  // Both tones come round after a whole number of turns in 768 samples.
  const turn = 768;
  const cosines = Float64Array.from({ length: turn }, (_, n) => Math.cos((2 * Math.PI * hertz * n) / soundSampleRate));
  const sines = Float64Array.from({ length: turn }, (_, n) => Math.sin((2 * Math.PI * hertz * n) / soundSampleRate));
  const reals = new Float64Array(windowSamples);
  const imaginaries = new Float64Array(windowSamples);
  let real = 0;
  let imaginary = 0;
  let received = 0;
  return (value) => {
    const slot = received % windowSamples;
    const position = received % turn;
    const nextReal = value * (cosines[position] as number);
    const nextImaginary = value * (sines[position] as number);
    real += nextReal - (reals[slot] as number);
    imaginary += nextImaginary - (imaginaries[slot] as number);
    reals[slot] = nextReal;
    imaginaries[slot] = nextImaginary;
    received += 1;
    return real * real + imaginary * imaginary;
  };
}
