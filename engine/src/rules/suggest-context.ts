import type { Context } from "../sidekick.ts";
import type { AssetText } from "../text/asset-text.ts";
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

/** What a text shows about its market, and how much each sign is worth. */
const signs: readonly { place: string; worth: number; pattern: RegExp }[] = [
  { place: "UK", worth: 2, pattern: /£|\bGBP\b/gu },
  {
    place: "UK",
    worth: 3,
    pattern:
      /\b(?:FCA|ASA|Ofcom|MHRA|NHS|Gambling Commission|BeGambleAware|GambleAware|GamStop|HMRC|Trading Standards|Financial Conduct Authority|Clearcast)\b/gu,
  },
  {
    place: "UK",
    worth: 3,
    pattern: /\.(?:co|org|gov)\.uk\b|\+44\b|(?<!\d)0(?:7\d{3}|800|808|345|330)[ \d]{6,9}(?!\d)/gu,
  },
  {
    place: "UK",
    worth: 1,
    pattern:
      /\b(?:quid|tenner|fiver|postcode|VAT|representative APR|ISA|council tax|colour|flavour|favourite|organis\w+|centre|litres?)\b/giu,
  },
  { place: "US", worth: 1, pattern: /(?<![A-Z])\$\d|\bUSD\b/gu },
  {
    place: "US",
    worth: 3,
    pattern:
      /\b(?:FTC|FDA|SEC|FDIC|FINRA|CFPB|NMLS|TTB|FCC|Medicare|Medicaid|1-800-GAMBLER|Equal Housing Lender|401\(?k\)?)\b/gu,
  },
  { place: "US", worth: 2, pattern: /\b1-8(?:00|44|55|66|77|88)-[\dA-Z-]{7,9}\b|\(\d{3}\) \d{3}-\d{4}/gu },
  { place: "US", worth: 1, pattern: /\b(?:color|flavor|favorite|center|zip code|sales tax|MSRP|fiber|APY)\b/giu },
  {
    place: "AU",
    worth: 3,
    pattern: /A\$\d|\bAUD\b|\b(?:ASIC|ACCC|TGA|AFSL|ABN|Ad Standards)\b|\.com\.au\b|\+61\b|\b1300 \d{3} \d{3}\b/gu,
  },
  { place: "NZ", worth: 3, pattern: /NZ\$\d|\bNZD\b|\.co\.nz\b|\+64\b|\bCommerce Commission\b/gu },
  { place: "CA", worth: 3, pattern: /C\$\d|\bCAD\b|\bHealth Canada\b|\.ca\b/gu },
  { place: "IE", worth: 3, pattern: /\b(?:Central Bank of Ireland|ComReg|CCPC|Eircode|An Post)\b|\.ie\b|\+353\b/gu },
  { place: "IN", worth: 3, pattern: /₹|\bRs\.? ?\d|\b(?:INR|SEBI|RBI|FSSAI|ASCI|lakhs?|crores?)\b|\+91\b/gu },
  { place: "DE", worth: 3, pattern: /\b(?:BaFin|Wettbewerbszentrale)\b|\+49\b/gu },
  { place: "FR", worth: 3, pattern: /\b(?:ARPP|TAEG|ANJ|DGCCRF)\b|\+33\b/gu },
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
  for (const { place, worth: each, pattern } of signs) {
    const found = new Set(
      tracks.flatMap((track) => Array.from(track.text.matchAll(pattern), ([match]) => match.trim())),
    );
    if (found.size === 0) continue;
    worth.set(place, (worth.get(place) ?? 0) + each * Math.min(found.size, 3));
    words.set(place, (words.get(place) ?? new Set()).union(found));
  }
  const [first, second] = [...worth].toSorted(([, a], [, b]) => b - a);
  if (first === undefined || first[1] < leastWorth || first[1] === second?.[1]) return null;
  return { name: first[0], words: [...(words.get(first[0]) ?? [])].slice(0, 3) };
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
