import { hasPlainLetters } from "./ascii.ts";
import type { AssetText, TextTrack } from "./asset-text.ts";

/** Words that hardly any other language has so often. */
const commonWords: Readonly<Record<string, string>> = {
  English:
    "the and of to in is you your for with on that this are we our it be at by from or not as have will all can no up more free now get",
  French:
    "le la les des et est une un pour dans vous votre nous notre avec sur pas que qui au aux du en ce cette sont plus par jour chez",
  German:
    "der die das und ist ein eine für mit auf nicht sie ihr wir von zu den dem im bei auch oder aus sich jetzt nur mehr alle werden",
  Spanish:
    "el la los las y es una un para con en que de por su tu nuestro más no se del al como ahora sin hasta todos hoy",
  Italian:
    "il lo la gli le e è un una per con in che di non tuo vostro nostro più del della alla sono come ora solo tutti da",
  Portuguese:
    "o os as e é um uma para com em que de por seu sua nosso mais não se do da ao como agora sem até todos você",
  Dutch:
    "de het een en is van voor met op niet je uw jouw wij ons dat die zijn bij ook of uit nu meer alle nog maar naar",
  Polish: "i w na jest się nie z do to dla że jak oraz po za od przez tylko teraz więcej już lub nasze twoje",
  Swedish: "och att det är en ett för med på inte du din vi vår av till som den de om nu mer bara alla från eller",
  Danish: "og at det er en et for med på ikke du din vi vores af til som den de om nu mere kun alle fra eller",
  Turkish: "ve bir bu için ile de da çok en daha olan sizin bizim şimdi tüm her gibi kadar",
  Welsh: "y yr yn ac a'r i'r o'r ar gyda mae ei eich ein am hyn nid chi ni bod",
  Irish: "an na agus is ar ag le do de sa tá níl seo sin mar nó ach",
};
const lists = Object.entries(commonWords).map(([language, words]) => ({ language, words: new Set(words.split(" ")) }));

/** Most texts have no letter of another script, and eleven patterns are dear to compile. */
const beyondLatin = /[^\0-\u036F]/;

const scripts: readonly [string, RegExp][] = [
  ["Greek", /\p{Script=Greek}/gu],
  ["Cyrillic script", /\p{Script=Cyrillic}/gu],
  ["Arabic script", /\p{Script=Arabic}/gu],
  ["Hebrew", /\p{Script=Hebrew}/gu],
  ["Hindi", /\p{Script=Devanagari}/gu],
  ["Chinese", /\p{Script=Han}/gu],
  ["Japanese", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["Korean", /\p{Script=Hangul}/gu],
  ["Thai", /\p{Script=Thai}/gu],
  ["Bengali", /\p{Script=Bengali}/gu],
  ["Tamil", /\p{Script=Tamil}/gu],
];

/** Fewer say too little: a slogan, a name. */
const minWords = 8;
const minLetters = 12;
/** One in so many words of a text in a language is one of its common ones. */
const minShare = 0.12;

/** The language of a text where it shows; null for English and for what is too short to tell. */
export function foreignLanguage(text: string): string | null {
  if (beyondLatin.test(text)) {
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    for (const [name, pattern] of scripts) {
      const found = text.match(pattern)?.length ?? 0;
      if (found >= minLetters && found > letters / 2) return name;
    }
  }
  const words = text.toLowerCase().match(hasPlainLetters(text) ? /[a-z][a-z']*/g : /\p{L}[\p{L}']*/gu) ?? [];
  if (words.length < minWords) return null;
  const counts = lists.map((list) => ({
    language: list.language,
    count: words.filter((word) => list.words.has(word)).length,
  }));
  const english = counts[0]?.count ?? 0;
  const [best] = counts.slice(1).toSorted((a, b) => b.count - a.count);
  if (best === undefined || best.count < words.length * minShare || best.count < 3) return null;
  return best.count > english * 2 ? best.language : null;
}

/** What the rules could not read, for people: it is not clean, it is unknown. */
export function unreadLanguages({ tracks }: AssetText): string[] {
  const whole = new Map<string, TextTrack[]>();
  const parts = new Map<string, TextTrack[]>();
  const note = (found: Map<string, TextTrack[]>, language: string, track: TextTrack) =>
    found.set(language, [...(found.get(language) ?? []), track]);
  for (const track of tracks) {
    const language = foreignLanguage(track.text);
    if (language !== null) note(whole, language, track);
    else for (const part of foreignParts(track)) note(parts, part, track);
  }
  const sentences = (found: Map<string, TextTrack[]>, name: (tracks: readonly TextTrack[]) => string) =>
    Array.from(
      found,
      ([language, list]) =>
        `${name(list)} in ${language}: the rules for wording read English${partly(language)}, so it was not judged.`,
    );
  return [...sentences(whole, where), ...sentences(parts, (list) => `A part of ${partOf(list)} is`)];
}

/** One paragraph or line in another language is lost among many in English. */
function foreignParts({ text, pieces }: TextTrack): Set<string> {
  const found = pieces.map(({ start, end }) => foreignLanguage(text.slice(start, end)));
  return new Set(found.filter((language) => language !== null));
}

function partOf(tracks: readonly TextTrack[]): string {
  return where(tracks)
    .replace(/ (?:is|are)$/u, "")
    .replace(/^[A-Z]/u, (letter) => letter.toLowerCase());
}

/** A few rules of France read French words. */
function partly(language: string): string {
  return language === "French" ? ", but for some of the rules of France" : "";
}

function where(tracks: readonly TextTrack[]): string {
  const pages = tracks.flatMap(({ pieces }) => pieces[0]?.at.page ?? []);
  if (pages.length === tracks.length)
    return pages.length === 1 ? `Page ${pages[0]} is` : `Pages ${shortList(pages)} are`;
  const names = { screen: "The text on screen", speech: "The speech", caption: "The captions", document: "The text" };
  return `${names[tracks[0]?.source ?? "document"]} is`;
}

function shortList(pages: readonly number[]): string {
  return pages.length <= 6 ? pages.join(", ") : `${pages.slice(0, 5).join(", ")} and ${pages.length - 5} more`;
}
