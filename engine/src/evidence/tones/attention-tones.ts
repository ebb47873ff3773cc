import { soundSampleRate, type ToneKind } from "../evidence.ts";

/** A sound that was recognised, in samples from the first one. */
export type HeardTone = { kind: ToneKind; startSample: number; endSample: number; levelDbfs: number };

/** A tenth of a second tells 853 Hz from the notes around it (831 and 880 Hz), a twentieth would not. */
const windowSamples = 1600;
const hopSamples = 320;
const binHertz = soundSampleRate / windowSamples;
/** The three bins into which a Hann window puts a tone of about that pitch, ±10 Hz. */
const lowBins = [840, 850, 860] as const;
const highBins = [950, 960, 970] as const;
const alarmHertz = 1050;
const besideAlarm = [1040, 1060] as const;
const quietest = 10 ** (-60 / 10);

/** The pair must be at least this much of all that is heard, and neither tone a tenth of the other (10 dB). */
const minPairShare = 0.4;
const minBalance = 0.1;
const minPairSeconds = 0.5;
/** One steady tone is easily music: it must be nearly alone, on pitch (the note C6 is 1046.5 Hz) and long. */
const minAlarmShare = 0.8;
const maxAlarmOffsetHertz = 2.5;
const minAlarmSeconds = 2;

/** The attention signal, 853 and 960 Hz together, and the 1050 Hz alarm of the weather radio. */
export function createAttentionDetector() {
  // Zeros before the first sample, or a tone at the very start would begin half a window late.
  const ring = new Float64Array(windowSamples);
  const windowed = new Float64Array(windowSamples);
  const hann = Float64Array.from(ring, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / windowSamples));
  const pair = createSpans("eas_attention", minPairSeconds);
  const alarm = createSpans("weather_alarm", minAlarmSeconds);
  let received = 0;
  let lastPhase = 0;

  function accept(samples: Int16Array): void {
    for (const sample of samples) {
      ring[received % windowSamples] = sample / 32_768;
      received += 1;
      if (received % hopSamples === 0) analyse();
    }
  }

  function analyse(): void {
    let energy = 0;
    let sound = 0;
    for (let n = 0; n < windowSamples; n += 1) {
      const sample = ring[(received + n) % windowSamples] as number;
      const value = sample * (hann[n] as number);
      windowed[n] = value;
      energy += value * value;
      sound += sample * sample;
    }
    const power = sound / windowSamples;
    const centre = received - windowSamples / 2;
    const isAudible = energy / windowSamples > quietest;
    const whole = energy * (windowSamples / 2);
    const shareOf = (bins: readonly number[]) =>
      bins.reduce((sum, hertz) => sum + goertzel(windowed, hertz).power, 0) / whole;
    const low = isAudible ? shareOf(lowBins) : 0;
    // Most sound ends here: what has nothing at 853 Hz needs no look at 960.
    const high = low >= minBalance * minPairShare * 0.9 ? shareOf(highBins) : 0;
    const isPair = low + high >= minPairShare && Math.min(low, high) >= minBalance * Math.max(low, high);
    pair.step(isPair, { centre, power });
    const { power: alarmPower, phase } = goertzel(windowed, alarmHertz);
    const isAlarm =
      isAudible &&
      alarmPower > 0.5 * minAlarmShare * whole &&
      alarmPower / whole + shareOf(besideAlarm) >= minAlarmShare;
    // Between two windows a tone of 1050 Hz turns by whole turns; what is left over says how far off it is.
    const turn = (phase - lastPhase) / (2 * Math.PI);
    const offsetHertz = Math.abs(turn - Math.round(turn)) * (soundSampleRate / hopSamples);
    lastPhase = phase;
    alarm.step(isAlarm && (offsetHertz <= maxAlarmOffsetHertz || !alarm.isOpen()), { centre, power });
  }

  function finish(): HeardTone[] {
    accept(new Int16Array(windowSamples + hopSamples));
    return [...pair.finish(), ...alarm.finish()];
  }

  return { accept, finish };
}

/** The window's part at a multiple of 10 Hz; the phase is that of its first sample. */
function goertzel(windowed: Float64Array, hertz: number): { power: number; phase: number } {
  const angle = (2 * Math.PI * Math.round(hertz / binHertz)) / windowSamples;
  const coefficient = 2 * Math.cos(angle);
  let before = 0;
  let last = 0;
  for (let n = 0; n < windowSamples; n += 1) {
    const next = (windowed[n] as number) + coefficient * last - before;
    before = last;
    last = next;
  }
  const real = last * Math.cos(angle) - before;
  const imaginary = last * Math.sin(angle);
  return { power: real * real + imaginary * imaginary, phase: Math.atan2(imaginary, real) };
}

/** A drop-out this short, or a word over it, does not end a tone. */
const maxGapHops = 4;

function createSpans(kind: ToneKind, minSeconds: number) {
  const found: HeardTone[] = [];
  let start = -1;
  let end = -1;
  let power = 0;
  let hops = 0;

  function close(): void {
    if (start >= 0 && end - start >= minSeconds * soundSampleRate) {
      found.push({ kind, startSample: Math.max(0, start), endSample: end, levelDbfs: 10 * Math.log10(power / hops) });
    }
    start = -1;
  }

  function step(isHeard: boolean, window: { centre: number; power: number }): void {
    if (isHeard) {
      if (start < 0) {
        start = Math.max(0, window.centre);
        power = 0;
        hops = 0;
      }
      end = window.centre;
      power += window.power;
      hops += 1;
    } else if (start >= 0 && window.centre - end > maxGapHops * hopSamples) {
      close();
    }
  }

  function finish(): HeardTone[] {
    close();
    return found;
  }

  return { step, finish, isOpen: () => start >= 0 };
}
