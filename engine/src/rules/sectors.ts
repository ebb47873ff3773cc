import type { AssetText } from "../text/asset-text.ts";
import { expectPattern, findAll } from "../text/text-search.ts";

/**
 * Words that show that a text belongs to a sector. Where none is declared, a rule of a sector only speaks about a file
 * whose own words show it.
 */
const cuesOf: Readonly<Record<string, readonly string[]>> = {
  alcohol: [
    "/\\b(?:beers?|lagers?|ales?|stouts?|wines?|vodkas?|gins?|rum|whisk(?:e)?ys?|bourbon|tequila|ciders?|cocktails?|prosecco|champagne|liqueurs?|alcopops?|abv|brewed|brewery|distillery|pints?|shots of|booze|alcohol|alcoholic|happy hour|margaritas?|ros[ée]|cognac|brandy|j[äa]ger|brews?|bi[èe]re|vins?|rhum|pastis|aperitifs?|spritz|drunk|hard seltzers?)\\b/",
  ],
  gambling: [
    "/\\b(?:bets?|betting|wager(?:s|ing)?|odds|bookmakers?|bookies?|casinos?|jackpots?|slots?|roulette|blackjack|free spins?|bingo|poker|lotter(?:y|ies)|sportsbook|spins?|parlays?|tipsters?|winnings|\\w{3,12}bingo|tables?|flutter|betslips?|wagers|accumulators?|acca|punters?)\\b/",
  ],
  food: [
    "/\\b(?:foods?|snacks?|cereals?|drinks?|juices?|smoothies?|yogh?urts?|cheese|chocolate|burgers?|pizzas?|crisps|soups?|breads?|meals?|recipes?|ingredients|flavou?rs?|tasty|delicious|protein bars?|tea|coffee|latte|matcha|honey|seeds|nuts|broth|granola|superfoods?|superfruits?|kimchi|ginger|calories|sugars?|fibre|fiber|doughnuts?|brownies?|cakes?|biscuits?|sweets|ice cream|oats?|milk|eggs?|probiotic|kombucha)\\b/",
  ],
  supplements: [
    "/\\b(?:supplements?|vitamins?|capsules?|gummies|collagen|omega-?3|multivitamins?|probiotics?|herbal|turmeric|elderberry|ashwagandha|prostate|immune|cbd|magnesium|greens|remed(?:y|ies)|tonics?|drops|superfood powder|tablets?)\\b/",
  ],
  medicines: [
    "/\\b(?:medicines?|medications?|tablets?|prescriptions?|prescribed|ibuprofen|paracetamol|pharmac(?:y|ist|ies)|dosage|rx|pills?|cream|relief|symptoms|\\w{4,12}ologists?|side effects|injections?|arzneimittel)\\b/",
  ],
  health_services: [
    "/\\b(?:clinics?|treatments?|consultations?|patients?|doctors?|therap(?:y|ies|ists?)|surgery|procedures?|dentists?|botox|fillers?)\\b/",
  ],
  weight_loss: [
    "/\\b(?:weight|slim(?:ming)?|lose \\d+ ?(?:lbs?|pounds|kg|kilos|stone)|diet(?:s|ing)?|fat burn(?:er|ing)|belly fat|inches)\\b/",
  ],
  cosmetics: [
    "/\\b(?:skin(?:care)?|serums?|moisturisers?|moisturizers?|wrinkles?|shampoos?|creams?|anti-?ageing|anti-?aging|make-?up|mascara)\\b/",
  ],
  investments: [
    "/\\b(?:invest(?:s|ing|ments?|ors?)?|funds?|shares|stocks|isas?|portfolios?|returns?|dividends?|trad(?:e|ing|ers?)|bonds?|p2p|peer-to-peer|crowdfunding|mini-?bonds?|wealth|gold|pensions?|profits?|forex|cfds?|advisers?|performance|annuali[sz]ed)\\b/",
  ],
  crypto: [
    "/\\b(?:crypto(?:currenc(?:y|ies)|assets?)?|bitcoin|btc|ethereum|eth|tokens?|coins?|solana|xrp|ripple|memecoins?|hodl|presale|bull run|usdt|wallets?|altcoins?|stablecoins?|nfts?|defi|staking|blockchain)\\b/",
  ],
  credit: [
    "/\\b(?:loans?|credit|borrow(?:ing|ers?)?|apr|mortgages?|financ(?:e|ing)|repayments?|overdrafts?|instal?ments?|pay later|annual fee|balance transfers?|p\\.a\\.|down payment|\\$\\d{1,5} down|(?:monthly|weekly) payments?|hp|pcp|refinanc(?:e|ing)|taeg|mensualit[ée]s?|pr[êe]ts?|interest-free|interest rate|lenders?|payday|cr[ée]dit|emprunt)\\b/",
  ],
  banking: ["/\\b(?:banks?|savings?|deposits?|accounts?|apy|fdic|checking|interest)\\b/"],
  insurance: ["/\\binsur(?:ance|ers?|ed)\\b/"],
  automotive: [
    "/\\b(?:cars?|vehicles?|suvs?|mpg|lease|leasing|dealers?|leases|pickups?|trucks?|wheels|due at signing|dealerships?|test drive|hatchback|sedan|electric range|test[ -]drives?|hybrids?|evs?|motors?|msrp)\\b/",
  ],
  energy: ["/\\b(?:energy|electricity|tariffs?|kwh|boilers?|solar|heat pumps?)\\b/"],
  travel: [
    "/\\b(?:flights?|fly|airlines?|cruises?|holidays?|travel|hotels?|trains?|trips?|scooters?|aviation|flying|sail(?:s|ing)?|ferry|voyages?|cruising|destinations?|airports?)\\b/",
  ],
  telecoms: ["/\\b(?:broadband|mobile|sim|5g|fibre|mbps|data plan)\\b/"],
  political: [
    "/\\b(?:vote|votes|voting|elect(?:ion|ions|ed)?|candidates?|congress|senate|parliament|campaign|ballot|councillors?|senators?|congress(?:man|woman)|governors?|mps?|mayor|president|referendum|constituency)\\b/",
  ],
  nicotine: [
    "/\\b(?:vap(?:e|es|ing|ers?)|e-?cig(?:s|arettes?)?|e-?liquids?|nicotine|pods? kits?|disposables?|tobacco|cigarettes?)\\b/",
  ],
  toys: ["/\\b(?:toys?|dolls?|playsets?|collect them all)\\b/"],
};

/** All of them are looked for in the pass that looks for the patterns of rules. */
export function expectSectorCues(): void {
  for (const cues of Object.values(cuesOf)) cues.forEach(expectPattern);
}

/** An advertisement comes back to its subject: in minutes or in a story, one lottery or one glass of wine shows nothing. */
export function showsSector(text: AssetText, wanted: readonly string[]): boolean {
  const known = shown.get(text) ?? new Map<string, boolean>();
  shown.set(text, known);
  const key = wanted.join();
  const before = known.get(key);
  if (before !== undefined) return before;
  const shows = looksForCues(text, wanted);
  known.set(key, shows);
  return shows;
}

/** Every rule of a sector asks. */
const shown = new WeakMap<AssetText, Map<string, boolean>>();

function looksForCues(text: AssetText, wanted: readonly string[]): boolean {
  const cues = wanted.flatMap((sector) => cuesOf[sector] ?? []);
  const length = text.tracks.reduce((sum, track) => sum + track.text.length, 0);
  const needed = Math.min(1 + Math.floor(length / charactersForEachCue), maxCues);
  return findAll(text, cues).length >= needed;
}

/** The words by which a text shows each sector, each once. */
export function sectorWords(text: AssetText): { sector: string; words: string[] }[] {
  return Object.entries(cuesOf).flatMap(([sector, cues]) => {
    const words = new Set(findAll(text, cues).map(({ match }) => match.text.toLowerCase()));
    return words.size === 0 ? [] : [{ sector, words: [...words] }];
  });
}

const charactersForEachCue = 600;
const maxCues = 6;
