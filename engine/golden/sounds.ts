import { type Consumer, type Sound, soundSampleRate } from "../src/evidence/evidence.ts";

/** A wave: its value, -1 to 1, at a time. */
export type Wave = (seconds: number) => number;

export const silence: Wave = () => 0;

export function sine(hertz: number, amplitude = 0.5): Wave {
  return (seconds) => amplitude * Math.sin(2 * Math.PI * hertz * seconds);
}

export function mix(...waves: Wave[]): Wave {
  return (seconds) => waves.reduce((sum, wave) => sum + wave(seconds), 0);
}

export function during(wave: Wave, span: { startSeconds: number; endSeconds: number }): Wave {
  return (seconds) => (seconds >= span.startSeconds && seconds < span.endSeconds ? wave(seconds) : 0);
}

const bitSeconds = 6 / 3125;

/** One burst of the EAS protocol: sixteen bytes 0xAB, then the text, least bit first. */
export function headerBurst(
  text: string,
  { startSeconds, amplitude = 0.5 }: { startSeconds: number; amplitude?: number },
) {
  const bytes = [...Array.from({ length: 16 }, () => 0xab), ...Buffer.from(text, "ascii")];
  const endSeconds = startSeconds + bytes.length * 8 * bitSeconds;
  const wave: Wave = (seconds) => {
    if (seconds < startSeconds || seconds >= endSeconds) return 0;
    const bit = Math.floor((seconds - startSeconds) / bitSeconds);
    const isMark = (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;
    const turns = ((seconds - startSeconds) / bitSeconds) * (isMark ? 4 : 3);
    return amplitude * Math.sin(2 * Math.PI * turns);
  };
  return { wave, startSeconds, endSeconds };
}

export const weeklyTest = "ZCZC-EAS-RWT-012057-012081+0030-2780415-WTSP/TV-";

/** 16 kHz, 16 bits. */
export function toSamples(wave: Wave, seconds: number): Int16Array<ArrayBuffer> {
  return Int16Array.from({ length: Math.round(seconds * soundSampleRate) }, (_, n) =>
    Math.round(32_767 * Math.max(-1, Math.min(1, wave(n / soundSampleRate)))),
  );
}

export async function hear<Result>(
  wave: Wave,
  { seconds, consumer }: { seconds: number; consumer: Consumer<Sound, Result> },
): Promise<Result> {
  const samples = toSamples(wave, seconds);
  // Pieces of an odd size, as pipes deliver them.
  const piece = 4001;
  for (let start = 0; start < samples.length; start += piece) {
    await consumer.accept({ startSeconds: start / soundSampleRate, samples: samples.slice(start, start + piece) });
  }
  return consumer.finish({ durationSeconds: seconds, count: samples.length });
}
