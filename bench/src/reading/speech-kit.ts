import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A clip of one sentence, and what is said in it. Made by espeak-ng and sox when it is needed: the kit is this file. */
export type SpeechClip = { name: string; language: string; text: string; wav: string };

type Recipe = {
  name: string;
  voice: string;
  wordsPerMinute?: number;
  language?: string;
  text: string;
  effect?: Effect;
};

type Effect = "telephone" | "reverb" | "music" | "white noise" | "loud noise" | "loud music" | "narrow band";

const sentences = [
  "Zero percent financing is available on selected models until the end of May.",
  "Please drink responsibly and do not share with anyone under eighteen.",
  "Your home may be repossessed if you do not keep up repayments on your mortgage.",
  "Side effects may include headache, dizziness and loss of appetite.",
  "Terms and conditions apply, see our website for full details of this offer.",
];

const voices = ["en-gb", "en-us", "en-gb-scotland", "en-gb-x-rp"];

const foreign: Record<string, string[]> = {
  fr: [
    "Profitez de notre offre exceptionnelle jusqu'au trente et un mai dans tous nos magasins.",
    "L'abus d'alcool est dangereux pour la santé, à consommer avec modération.",
  ],
  de: ["Zu Risiken und Nebenwirkungen lesen Sie die Packungsbeilage und fragen Sie Ihren Arzt."],
  es: ["El consumo excesivo de alcohol es perjudicial para la salud, beba con moderación."],
  it: ["Messaggio pubblicitario con finalità promozionale, prima dell'adesione leggere il prospetto."],
  pl: ["Przed użyciem zapoznaj się z treścią ulotki dołączonej do opakowania leku."],
};

function speechRecipes(): Recipe[] {
  const say = (text: number, voice: string, effect?: Effect, wordsPerMinute = 155): Recipe => ({
    name: `${voice}, ${wordsPerMinute} words a minute, ${effect ?? "clean"}, sentence ${text + 1}`,
    voice,
    wordsPerMinute,
    text: sentences[text] ?? "",
    ...(effect !== undefined && { effect }),
  });
  const effects: Effect[] = ["telephone", "reverb", "music", "white noise", "loud noise", "loud music", "narrow band"];
  return [
    ...voices.flatMap((voice) => [0, 1, 2].map((text) => say(text, voice))),
    ...effects.flatMap((effect, index) =>
      [0, 1, 2].map((text) => say(text + (index % 3), voices[(index + text) % 4] ?? "en-gb", effect)),
    ),
    ...[205, 240].flatMap((speed) => [0, 2, 3].map((text) => say(text, "en-us", undefined, speed))),
    ...Object.entries(foreign).flatMap(([voice, texts]) =>
      texts.map((text, index): Recipe => ({ name: `${voice}, sentence ${index + 1}`, voice, language: voice, text })),
    ),
    ...Object.entries(foreign)
      .slice(0, 3)
      .map(([voice, [text = ""]]): Recipe => ({
        name: `${voice} with music`,
        voice,
        language: voice,
        text,
        effect: "music",
      })),
  ];
}

/** Makes the clips in a folder that `[Symbol.dispose]` removes. Null: espeak-ng or sox is not installed here. */
export function makeSpeechClips(): (Disposable & { clips: SpeechClip[] }) | null {
  const folder = mkdtempSync(join(tmpdir(), "greenlit-speech-"));
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: "ignore", cwd: folder });
  try {
    run("espeak-ng", "--version");
    run("sox", "--version");
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const clips = speechRecipes().map(({ name, voice, wordsPerMinute = 155, language = "en", text, effect }, index) => {
    run("espeak-ng", "-v", voice, "-s", String(wordsPerMinute), "-w", "said.wav", text);
    run("sox", "said.wav", "-r", "16000", "-c", "1", "voice.wav", "gain", "-n", "-6", "pad", "0.7", "0.7");
    const wav = join(folder, `${index}.wav`);
    addEffect(run, wav, effect);
    return { name, language, text, wav };
  });
  return { clips, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

type Run = (program: string, ...args: string[]) => void;

function addEffect(run: Run, wav: string, effect: Effect | undefined): void {
  const mix = (levelDb: number, ...synth: string[]) => {
    // As long as the voice, and at a level of its own below it.
    run("sox", "voice.wav", "bed.wav", "synth", ...synth, "gain", "-n", String(levelDb));
    run("sox", "-m", "voice.wav", "bed.wav", "-r", "16000", wav, "gain", "-n", "-3");
  };
  const chord = ["triangle", "262", "triangle", "mix", "330", "triangle", "mix", "392", "tremolo", "2", "80"];
  if (effect === undefined) run("sox", "voice.wav", wav);
  else if (effect === "telephone") run("sox", "voice.wav", "-r", "8000", wav, "sinc", "300-3400", "gain", "-n", "-3");
  else if (effect === "narrow band")
    run("sox", "voice.wav", "-r", "16000", wav, "sinc", "500-2000", "gain", "-n", "-3");
  else if (effect === "reverb")
    run("sox", "voice.wav", wav, "gain", "-12", "reverb", "70", "50", "100", "gain", "-n", "-3");
  else if (effect === "white noise") mix(-24, "whitenoise");
  else if (effect === "loud noise") mix(-14, "whitenoise");
  else if (effect === "music") mix(-18, ...chord);
  else mix(-8, ...chord);
}
