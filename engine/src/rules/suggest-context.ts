import type { Context } from "../sidekick.ts";
import type { AssetText } from "../text/asset-text.ts";
import { smallLetters } from "../text/pattern.ts";
import { jurisdictionsOf } from "./context.ts";
import { isKnownSector, sectorsLike, sectorsOf } from "./sector-names.ts";
import { sectorWords } from "./sectors.ts";

/** A guess at what was not declared, for people to confirm. It judges nothing by itself. */
export type SuggestedContext = {
  jurisdictions: string[] | null;
  sector: string | null;
  /** The words that speak for it. */
  because: string[];
  /** What was declared and nobody knows, so that it counts as not declared. Missing in results of earlier versions. */
  notUnderstood?: string[];
};

/** Words are looked for without an expression: to compile one takes longer than to read a sentence. */
type Sign = { place: string; worth: number; pattern?: RegExp; words?: readonly string[]; isInAnyCase?: true };

/** What a text shows about its market, and how much each sign is worth. Words in any case are given in small letters. */
const signs: readonly Sign[] = [
  { place: "UK", worth: 2, pattern: /£|\bGBP\b/gu },
  {
    place: "UK",
    worth: 3,
    words: (
      "FCA|ASA|Ofcom|MHRA|NHS|Gambling Commission|BeGambleAware|GambleAware|GamStop|HMRC" +
      "|Trading Standards|Financial Conduct Authority|Clearcast"
    ).split("|"),
  },
  {
    place: "UK",
    worth: 3,
    pattern: /\.(?:co|org|gov)\.uk\b|\+44\b|(?<!\d)0(?:7\d{3}|800|808|345|330)[ \d]{6,9}(?!\d)/gu,
  },
  {
    place: "UK",
    worth: 1,
    isInAnyCase: true,
    words: (
      "quid|tenner|fiver|postcode|vat|representative apr|isa|council tax|colour|flavour|favourite" +
      "|organise|organises|organised|organising|organiser|organisers|organisation|organisations|organisational" +
      "|centre|litre|litres"
    ).split("|"),
  },
  { place: "US", worth: 1, pattern: /(?<![A-Z])\$\d|\bUSD\b/gu },
  {
    place: "US",
    worth: 3,
    words:
      "FTC|FDA|SEC|FDIC|FINRA|CFPB|NMLS|TTB|FCC|Medicare|Medicaid|1-800-GAMBLER|Equal Housing Lender|401k|401(k".split(
        "|",
      ),
  },
  { place: "US", worth: 2, pattern: /\b1-8(?:00|44|55|66|77|88)-[\dA-Z-]{7,9}\b|\(\d{3}\) \d{3}-\d{4}/gu },
  {
    place: "US",
    worth: 1,
    isInAnyCase: true,
    words: "color|flavor|favorite|center|zip code|sales tax|msrp|fiber|apy".split("|"),
  },
  {
    place: "AU",
    worth: 3,
    pattern: /A\$\d|\.com\.au\b|\+61\b|\b1300 \d{3} \d{3}\b/gu,
    words: "AUD|ASIC|ACCC|TGA|AFSL|ABN|Ad Standards".split("|"),
  },
  { place: "NZ", worth: 3, pattern: /NZ\$\d|\.co\.nz\b|\+64\b/gu, words: "NZD|Commerce Commission".split("|") },
  { place: "CA", worth: 3, pattern: /C\$\d|\.ca\b/gu, words: "CAD|Health Canada".split("|") },
  {
    place: "IE",
    worth: 3,
    pattern: /\.ie\b|\+353\b/gu,
    words: "Central Bank of Ireland|ComReg|CCPC|Eircode|An Post".split("|"),
  },
  {
    place: "IN",
    worth: 3,
    pattern: /₹|\bRs\.? ?\d|\+91\b/gu,
    words: "INR|SEBI|RBI|FSSAI|ASCI|lakh|lakhs|crore|crores".split("|"),
  },
  { place: "DE", worth: 3, pattern: /\+49\b/gu, words: "BaFin|Wettbewerbszentrale".split("|") },
  { place: "FR", worth: 3, pattern: /\+33\b/gu, words: "ARPP|TAEG|ANJ|DGCCRF".split("|") },
  { place: "EU", worth: 1, pattern: /€/gu },
];

const leastWorth = 2;
const enoughSectorWords = 2;

/** Null where everything is declared, or nothing shows. */
export function suggestContext(text: AssetText, context: Context): SuggestedContext | null {
  const place = jurisdictionsOf(context).length > 0 ? null : guessPlace(text);
  const sector = sectorsOf(context.sector).length > 0 ? null : guessSector(text);
  const notUnderstood = describeUnknown(context);
  if (place === null && sector === null && notUnderstood.length === 0) return null;
  return {
    jurisdictions: place === null ? null : [place.name],
    sector: sector?.name ?? null,
    because: [...(place?.words ?? []), ...(sector?.words ?? [])],
    notUnderstood,
  };
}

function describeUnknown({ sector }: Context): string[] {
  if (sector === undefined || sector.trim() === "" || isKnownSector(sector)) return [];
  const like = sectorsLike(sector);
  const nearest = like.length === 0 ? "" : `; nearest: ${like.join(", ")}`;
  return [`The sector “${sector}” is not known, so it counts as not declared${nearest}.`];
}

type Guess = { name: string; words: string[] };

function guessPlace({ tracks }: AssetText): Guess | null {
  const worth = new Map<string, number>();
  const words = new Map<string, Set<string>>();
  const texts = tracks.map(({ text }) => ({ text, small: smallLetters(text) }));
  for (const sign of signs) {
    const { place, worth: each } = sign;
    const found = new Set(texts.flatMap((text) => [...patternsIn(text, sign), ...wordsIn(text, sign)]));
    if (found.size === 0) continue;
    worth.set(place, (worth.get(place) ?? 0) + each * Math.min(found.size, 3));
    words.set(place, (words.get(place) ?? new Set()).union(found));
  }
  const [first, second] = [...worth].toSorted(([, a], [, b]) => b - a);
  if (first === undefined || first[1] < leastWorth || first[1] === second?.[1]) return null;
  return { name: first[0], words: [...(words.get(first[0]) ?? [])].slice(0, 3) };
}

type Text = { text: string; small: string };

function patternsIn({ text }: Text, { pattern }: Sign): string[] {
  return pattern === undefined ? [] : Array.from(text.matchAll(pattern), ([match]) => match.trim());
}

function wordsIn({ text, small }: Text, { words = [], isInAnyCase }: Sign): string[] {
  const letters = isInAnyCase === true ? small : text;
  const found: string[] = [];
  for (const word of words)
    for (let at = letters.indexOf(word); at !== -1; at = letters.indexOf(word, at + 1)) {
      const end = at + word.length;
      if (!isOfWord(letters[at - 1]) && !isOfWord(letters[end])) found.push(text.slice(at, end));
    }
  return found;
}

function isOfWord(sign: string | undefined): boolean {
  return sign !== undefined && /\w/.test(sign);
}

function guessSector(text: AssetText): Guess | null {
  const [first, second] = sectorWords(text).toSorted((a, b) => b.words.length - a.words.length);
  if (first === undefined || first.words.length < enoughSectorWords || first.words.length === second?.words.length)
    return null;
  return { name: first.sector, words: first.words.slice(0, 3) };
}

const sectorTitles: Readonly<Record<string, string>> = {
  credit: "consumer credit",
  health_services: "health services",
  weight_loss: "weight loss",
  automotive: "the motor trade",
};

/** "Looks like consumer credit in the UK; add --context … to judge it so." */
export function describeSuggestion({ jurisdictions, sector, because, notUnderstood = [] }: SuggestedContext): string {
  if (jurisdictions === null && sector === null) return notUnderstood.join(" ");
  const what = sector === null ? "an advertisement" : (sectorTitles[sector] ?? sector);
  const where = jurisdictions === null ? "" : ` in ${jurisdictions.map(withArticle).join(" and ")}`;
  const options = [
    ...(jurisdictions === null ? [] : [`--context jurisdictions=${jurisdictions.join(",")}`]),
    ...(sector === null ? [] : [`--context sector=${sector}`]),
  ].join(" ");
  const words = because.map((word) => `“${word}”`).join(", ");
  return [...notUnderstood, `Looks like ${what}${where} (${words}); add ${options} to judge it so.`].join(" ");
}

function withArticle(place: string): string {
  return ["UK", "US", "EU"].includes(place) ? `the ${place}` : place;
}
