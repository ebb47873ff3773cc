import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  foreignSentences,
  otherTestSentences,
  testForeignSentences,
  testSentences,
  tuneSentences,
} from "./speech-sentences.ts";

/** A clip of one sentence, and what is said in it. Made by espeak-ng, ffmpeg (flite) and sox when it is needed: the kit is this file. */
export type SpeechClip = { name: string; language: string; half: Half; text: string; wav: string };

/** The limits of doubt were chosen on `tune`; the promises are measured on `test`, whose sentences nobody tuned with. */
type Half = "tune" | "test";

type Recipe = { voice: string; wordsPerMinute: number; language: string; half: Half; text: string; effect: Effect };

const voices = [
  "en-gb",
  "en-us",
  "flite slt",
  "en-gb-scotland",
  "flite rms",
  "en-gb-x-rp",
  "en-us+f3",
  "flite awb",
  "en-gb-x-gbclan",
  "en-gb+f4",
  "flite kal16",
];

const testVoices = [
  "en-gb-x-gbcwmd",
  "flite slt",
  "en-us+f2",
  "en-029",
  "flite rms",
  "en-gb+m5",
  "en-us-nyc",
  "flite awb",
  "en-gb+f2",
  "en-us+m7",
];

const otherVoices = [
  "en-gb+f1",
  "en-us+m1",
  "en-gb-scotland+f3",
  "flite kal",
  "en-us+f4",
  "en-gb+m2",
  "en-029+m4",
  "en-gb-x-rp+f5",
  "flite slt",
  "en-us-nyc+f1",
  "en-gb-x-gbcwmd+m6",
];

/** What lies over or is lost of the voice. Levels are those of the bed, in dB below full scale; the voice is at −6. */
const effects = {
  clean: [],
  quiet: ["gain", "-24"],
  telephone: ["rate", "8000", "sinc", "300-3400"],
  "narrow band": ["sinc", "500-2000"],
  "echo of a room": ["gain", "-12", "reverb", "40", "50", "60"],
  "echo of a hall": ["gain", "-12", "reverb", "80", "50", "100"],
  clipped: ["gain", "24", "gain", "-6"],
  "soft music": { bed: "music", level: -22 },
  music: { bed: "music", level: -14 },
  "loud music": { bed: "music", level: -8 },
  "soft noise": { bed: "noise", level: -30 },
  noise: { bed: "noise", level: -21 },
  "loud noise": { bed: "noise", level: -14 },
  "voices behind": { bed: "voices", level: -16 },
  "loud voices behind": { bed: "voices", level: -10 },
} as const satisfies Effects;

const otherEffects = {
  clean: [],
  "very quiet": ["gain", "-32"],
  muffled: ["lowpass", "1400"],
  thin: ["highpass", "1100"],
  "eight bits at 8 kHz": ["rate", "8000", "gain", "-18", "dither", "-p", "6", "rate", "16000"],
  overdriven: ["overdrive", "26", "20"],
  "echo of a stairwell": ["gain", "-12", "echo", "0.8", "0.8", "90", "0.5", "echo", "0.8", "0.7", "190", "0.4"],
  wavering: ["tremolo", "7", "85"],
  "soft strings": { bed: "strings", level: -20 },
  strings: { bed: "strings", level: -12 },
  "loud strings": { bed: "strings", level: -6 },
  rumble: { bed: "rumble", level: -10 },
  hiss: { bed: "hiss", level: -24 },
  "loud hiss": { bed: "hiss", level: -16 },
  "a crowd": { bed: "crowd", level: -14 },
} as const satisfies Effects;

type Effects = Record<string, readonly string[] | { bed: Bed; level: number }>;
type Effect = keyof typeof effects | keyof typeof otherEffects;
type Bed = "music" | "noise" | "voices" | "strings" | "rumble" | "hiss" | "crowd";

const synths: Record<Exclude<Bed, "voices" | "crowd">, string[]> = {
  strings: ["sawtooth", "147", "sawtooth", "mix", "185", "square", "mix", "220", "tremolo", "4", "60"],
  rumble: ["brownnoise"],
  hiss: ["whitenoise"],
  music: ["triangle", "262", "triangle", "mix", "330", "triangle", "mix", "392", "tremolo", "2", "80"],
  noise: ["pinknoise"],
};

function speechRecipes(): Recipe[] {
  type Reading = {
    texts: readonly string[];
    half: Half;
    turn: number;
    speakers: readonly string[];
    with: Partial<Record<Effect, unknown>>;
  };
  const english = ({ texts, half, turn, speakers, with: spoilt }: Reading) =>
    (Object.keys(spoilt) as Effect[]).flatMap((effect, column) =>
      // Every third sentence for every effect, each time in other voices and at another pace.
      texts.flatMap((text, row): Recipe[] => {
        if ((row + column) % 3 !== 0 && effect !== "clean") return [];
        const voice = speakers[(row * 3 + column * 5 + turn) % speakers.length] ?? "en-gb";
        const wordsPerMinute = [155, 175, 155, 205, 165, 240][(row + 2 * column + turn) % 6] ?? 155;
        return [{ voice, wordsPerMinute, language: "en", half, text, effect }];
      }),
    );
  const foreign = (sentences: Record<string, readonly string[]>, half: Half) =>
    Object.entries(sentences).flatMap(([language, texts], column) =>
      texts.map((text, row): Recipe => {
        const effect = (["clean", "music", "telephone", "soft noise"] as const)[(row + column) % 4] ?? "clean";
        return { voice: language, wordsPerMinute: 155, language, half, text, effect };
      }),
    );
  return [
    ...english({ texts: tuneSentences, half: "tune", turn: 0, speakers: voices, with: effects }),
    ...english({ texts: testSentences, half: "test", turn: 4, speakers: testVoices, with: effects }),
    ...english({ texts: otherTestSentences, half: "test", turn: 2, speakers: otherVoices, with: otherEffects }),
    ...foreign(foreignSentences, "tune"),
    ...foreign(testForeignSentences, "test"),
  ];
}

type Run = (program: string, ...args: string[]) => void;

/** Makes the clips in a folder that `[Symbol.dispose]` removes. Null: a program that speaks is not installed here. */
export function makeSpeechClips(): (Disposable & { clips: SpeechClip[] }) | null {
  const folder = mkdtempSync(join(tmpdir(), "greenlit-speech-"));
  const run: Run = (program, ...args) => void execFileSync(program, args, { stdio: "ignore", cwd: folder });
  try {
    run("espeak-ng", "--version");
    run("sox", "--version");
    run("ffmpeg", "-f", "lavfi", "-i", "flite=text=x", "-y", "said.wav");
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const clips = speechRecipes().map(({ voice, wordsPerMinute, language, half, text, effect }, index) => {
    speak(run, { folder, voice, wordsPerMinute, text });
    run("sox", "said.wav", "-r", "16000", "-c", "1", "voice.wav", "gain", "-n", "-6", "pad", "0.7", "0.7");
    const wav = join(folder, `${index}.wav`);
    addEffect(run, wav, effect);
    const name = `${index}: ${half}, ${voice}, ${wordsPerMinute} words a minute, ${effect}`;
    return { name, language, half, text, wav };
  });
  return { clips, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

function speak(
  run: Run,
  { folder, voice, wordsPerMinute, text }: { folder: string } & Pick<Recipe, "voice" | "wordsPerMinute" | "text">,
): void {
  if (!voice.startsWith("flite ")) {
    run("espeak-ng", "-v", voice, "-s", String(wordsPerMinute), "-w", "said.wav", text);
    return;
  }
  writeFileSync(join(folder, "said.txt"), text);
  const said = `flite=textfile=said.txt:voice=${voice.slice("flite ".length)},atempo=${(wordsPerMinute / 165).toFixed(2)}`;
  run("ffmpeg", "-f", "lavfi", "-i", said, "-y", "said.wav");
}

function addEffect(run: Run, wav: string, effect: Effect): void {
  const how = { ...effects, ...otherEffects }[effect];
  if (!("bed" in how)) {
    const level = /quiet|clean/.test(effect) ? [] : ["gain", "-n", "-3"];
    run("sox", "-R", "voice.wav", "-r", "16000", wav, ...how, ...level);
    return;
  }
  if (how.bed === "voices" || how.bed === "crowd") {
    const speakers = how.bed === "voices" ? ["en-gb+m3"] : ["en-us+f5", "en-gb+m1", "en-029+f2"];
    for (const [index, speaker] of speakers.entries()) {
      const said = how.bed === "voices" ? chatter : `${chatter.slice(12 * index)}. ${chatter}`;
      run("espeak-ng", "-v", speaker, "-s", String(170 + 15 * index), "-w", `other-${index}.wav`, said);
    }
    const others = speakers.map((_, index) => `other-${index}.wav`);
    const mix = others.length > 1 ? ["-m"] : [];
    run("sox", ...mix, ...others, "-r", "16000", "-c", "1", "bed.wav", "repeat", "4", "gain", "-n", String(how.level));
    run("sox", "-m", "voice.wav", "bed.wav", "long.wav");
    // As long as the voice: 16 bits of one channel behind a header of 44 bytes.
    const seconds = (statSync(join(dirname(wav), "voice.wav")).size - 44) / 32_000;
    run("sox", "long.wav", wav, "trim", "0", `=${seconds}`, "gain", "-n", "-3");
    return;
  }
  run("sox", "-R", "voice.wav", "bed.wav", "synth", ...synths[how.bed], "gain", "-n", String(how.level));
  run("sox", "-m", "voice.wav", "bed.wav", "-r", "16000", wav, "gain", "-n", "-3");
}

const chatter = "I told him that the train was late again and nobody at the station knew why";
