import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../../golden/frames.ts";
import { during, hear, headerBurst, mix, silence, sine, type Wave, weeklyTest } from "../../../golden/sounds.ts";
import type { Span, ToneEvidence, ToneKind } from "../evidence.ts";
import { createToneConsumer } from "./tones.ts";

const listen = (wave: Wave, seconds = 4) => hear(wave, { seconds, consumer: createToneConsumer() });

const attention = mix(sine(853, 0.25), sine(960, 0.25));

function assertHeard(evidence: ToneEvidence, expected: readonly (Span & { kind: ToneKind })[]): void {
  assert.deepEqual(
    evidence.tones.map((tone) => tone.kind),
    expected.map((tone) => tone.kind),
  );
  for (const [index, tone] of evidence.tones.entries()) {
    const truth = expected[index];
    assert.ok(Math.abs(tone.startSeconds - (truth?.startSeconds ?? NaN)) <= 0.05, `start ${tone.startSeconds}`);
    assert.ok(Math.abs(tone.endSeconds - (truth?.endSeconds ?? NaN)) <= 0.05, `end ${tone.endSeconds}`);
  }
}

function assertSilent(evidence: ToneEvidence, what: string): void {
  assert.deepEqual(evidence.tones, [], what);
}

test("the attention signal is heard where it is, to within 50 ms", async () => {
  for (const span of [
    { startSeconds: 1, endSeconds: 2 },
    { startSeconds: 0, endSeconds: 4 },
    { startSeconds: 3.013, endSeconds: 3.727 },
  ]) {
    const evidence = await listen(during(attention, span));

    assertHeard(evidence, [{ kind: "eas_attention", ...span }]);
    assert.ok(Math.abs((evidence.tones[0]?.levelDbfs ?? 0) - -12) < 1);
  }
});

test("the attention signal is heard from 0.6 s on and not for 0.35 s", async () => {
  const long = { startSeconds: 1, endSeconds: 1.6 };

  assertHeard(await listen(during(attention, long)), [{ kind: "eas_attention", ...long }]);
  assertSilent(await listen(during(attention, { startSeconds: 1, endSeconds: 1.35 })), "too short");
});

test("the attention signal is heard 10 Hz off, quiet, with one tone 8 dB weaker, and over noise and speech", async () => {
  const span = { startSeconds: 1, endSeconds: 3 };
  const random = createRandom(3);
  const variants: Record<string, Wave> = {
    "off pitch": mix(sine(861, 0.2), sine(952, 0.2)),
    quiet: mix(sine(853, 0.005), sine(960, 0.005)),
    unequal: mix(sine(853, 0.1), sine(960, 0.25)),
  };
  for (const [name, wave] of Object.entries(variants)) {
    const evidence = await listen(during(wave, span));

    assert.equal(evidence.tones.length, 1, name);
  }
  const noise: Wave = () => 0.3 * (random() - 0.5);
  assertHeard(await listen(mix(during(attention, span), noise, voice(140, 0.05))), [
    { kind: "eas_attention", ...span },
  ]);
});

test("one of the two tones alone, and other pairs, are not the attention signal", async () => {
  const others: Record<string, Wave> = {
    "853 alone": sine(853),
    "960 alone": sine(960),
    "a dial tone": mix(sine(350, 0.3), sine(440, 0.3)),
    "the notes around": mix(sine(830.6, 0.3), sine(987.8, 0.3)),
    "A5 and A#5": mix(sine(880, 0.3), sine(932.3, 0.3)),
    "one after the other": (seconds) => (Math.floor(seconds * 4) % 2 === 0 ? sine(853)(seconds) : sine(960)(seconds)),
    "a 1 kHz line-up tone": sine(1000, 0.9),
    silence,
  };
  for (const [name, wave] of Object.entries(others)) assertSilent(await listen(wave), name);
});

test("music, speech and noise are no alert", async () => {
  for (let seed = 1; seed <= 6; seed += 1) {
    assertSilent(await listen(melody(seed), 6), `melody ${seed}`);
    assertSilent(await listen(voice(80 + 20 * seed, 0.3), 3), `voice ${seed}`);
    const random = createRandom(seed);
    assertSilent(await listen(() => random() - 0.5, 3), `noise ${seed}`);
  }
  // Its eighth and ninth harmonics are the two tones of the attention signal.
  assertSilent(await listen(voice(106.7, 0.3), 3), "a voice of 107 Hz");
});

test("header bursts are heard one by one, to within 50 ms", async () => {
  const bursts = [0.5, 2.5, 4.5].map((startSeconds) => headerBurst(weeklyTest, { startSeconds }));

  const evidence = await listen(mix(...bursts.map((burst) => burst.wave)), 7);

  assertHeard(
    evidence,
    bursts.map(({ startSeconds, endSeconds }) => ({ kind: "eas_header" as const, startSeconds, endSeconds })),
  );
});

test("an end-of-message burst over noise is heard; the same tones without the preamble are not", async () => {
  const random = createRandom(5);
  const burst = headerBurst("NNNN", { startSeconds: 1, amplitude: 0.3 });
  const noisy: Wave = (seconds) => burst.wave(seconds) + 0.1 * (random() - 0.5);

  assertHeard(await listen(noisy, 3), [{ kind: "eas_header", startSeconds: 1, endSeconds: burst.endSeconds }]);
  assertSilent(await listen(mix(sine(1562.5, 0.3), sine(2083.3, 0.3))), "both tones at once");
  const trill: Wave = (seconds) => sine(Math.floor(seconds * 30) % 2 === 0 ? 1562.5 : 2083.3)(seconds);
  assertSilent(await listen(trill), "a trill");
});

test("a whole alert: three headers, the attention signal, three ends", async () => {
  const headers = [0.2, 2.2, 4.2].map((startSeconds) => headerBurst(weeklyTest, { startSeconds }));
  const ends = [9, 10.5, 12].map((startSeconds) => headerBurst("NNNN", { startSeconds }));
  const span = { startSeconds: 6, endSeconds: 8 };

  const evidence = await listen(mix(...[...headers, ...ends].map(({ wave }) => wave), during(attention, span)), 13);

  const header = ({ startSeconds, endSeconds }: Span) => ({ kind: "eas_header" as const, startSeconds, endSeconds });
  assertHeard(evidence, [...headers.map(header), { kind: "eas_attention", ...span }, ...ends.map(header)]);
});

test("the weather alarm is heard, the note C6, a short beep and 1 kHz are not", async () => {
  const span = { startSeconds: 1, endSeconds: 5 };

  assertHeard(await listen(during(sine(1050), span), 6), [{ kind: "weather_alarm", ...span }]);
  assertHeard(await listen(during(sine(1051.5), span), 6), [{ kind: "weather_alarm", ...span }]);
  assertSilent(await listen(during(sine(1046.5), span), 6), "C6");
  assertSilent(await listen(during(sine(1056), span), 6), "1056 Hz");
  assertSilent(await listen(during(sine(1050), { startSeconds: 1, endSeconds: 2.5 }), 6), "a beep");
});

/** Harmonics that fall by 6 dB an octave after two formants, the pitch wavering as voices do. */
function voice(hertz: number, amplitude: number): Wave {
  return (seconds) => {
    const pitch = hertz * seconds + 0.3 * Math.sin(2 * Math.PI * 2.3 * seconds);
    let sum = 0;
    for (let harmonic = 1; harmonic < 25; harmonic += 1) {
      const at = harmonic * hertz;
      const formants = 1 / (1 + ((at - 600) / 150) ** 2) + 0.5 / (1 + ((at - 1300) / 200) ** 2);
      sum += formants * Math.sin(2 * Math.PI * harmonic * pitch);
    }
    return amplitude * sum * (0.6 + 0.4 * Math.sin(2 * Math.PI * 3 * seconds));
  };
}

/** Chords of three random notes with overtones, four a second. */
function melody(seed: number): Wave {
  const random = createRandom(seed);
  const chords = Array.from({ length: 40 }, () =>
    Array.from({ length: 3 }, () => 220 * 2 ** (Math.floor(random() * 36) / 12)),
  );
  return (seconds) => {
    const chord = chords[Math.floor(seconds * 4) % chords.length] ?? [];
    return chord.reduce(
      (sum, hertz) =>
        sum + 0.15 * (sine(hertz, 1)(seconds) + sine(2 * hertz, 0.4)(seconds) + sine(3 * hertz, 0.2)(seconds)),
      0,
    );
  };
}
