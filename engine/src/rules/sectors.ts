import type { AssetText } from "../text/asset-text.ts";
import { findAll } from "../text/text-search.ts";

/**
 * The sectors that rules know: other names people give them, and words that show that a text belongs to it. Where no
 * sector is declared, a rule of a sector only speaks about a file whose own words show the sector.
 */
const sectors: Readonly<Record<string, { names: readonly string[]; cues: readonly string[] }>> = {
  alcohol: {
    names: ["alcoholic_drinks", "beer", "wine", "spirits"],
    cues: [
      "/\\b(?:beers?|lagers?|ales?|stouts?|wines?|vodkas?|gins?|rum|whisk(?:e)?ys?|bourbon|tequila|ciders?|cocktails?|prosecco|champagne|liqueurs?|alcopops?|abv|brewed|brewery|distillery|pints?|shots of|booze|alcohol|alcoholic|happy hour|margaritas?|ros[ée]|cognac|brandy|j[äa]ger|brews?|bi[èe]re|vins?|rhum|pastis|aperitifs?|spritz|drunk|hard seltzers?)\\b/",
    ],
  },
  gambling: {
    names: ["betting", "casino", "lottery", "wagering", "bingo"],
    cues: [
      "/\\b(?:bets?|betting|wager(?:s|ing)?|odds|bookmakers?|bookies?|casinos?|jackpots?|slots?|roulette|blackjack|free spins?|bingo|poker|lotter(?:y|ies)|sportsbook|spins?|parlays?|tipsters?|winnings|\\w{3,12}bingo|tables?|flutter|betslips?|wagers|accumulators?|acca|punters?)\\b/",
    ],
  },
  food: {
    names: ["food_and_drink", "drinks", "soft_drinks", "restaurants", "grocery"],
    cues: [
      "/\\b(?:foods?|snacks?|cereals?|drinks?|juices?|smoothies?|yogh?urts?|cheese|chocolate|burgers?|pizzas?|crisps|soups?|breads?|meals?|recipes?|ingredients|flavou?rs?|tasty|delicious|protein bars?|tea|coffee|latte|matcha|honey|seeds|nuts|broth|granola|superfoods?|superfruits?|kimchi|ginger|calories|sugars?|fibre|fiber|doughnuts?|brownies?|cakes?|biscuits?|sweets|ice cream|oats?|milk|eggs?|probiotic|kombucha)\\b/",
    ],
  },
  hfss: { names: [], cues: [] },
  supplements: {
    names: ["supplement", "food_supplements", "vitamins", "nutrition"],
    cues: [
      "/\\b(?:supplements?|vitamins?|capsules?|gummies|collagen|omega-?3|multivitamins?|probiotics?|herbal|turmeric|elderberry|ashwagandha|prostate|immune|cbd|magnesium|greens|remed(?:y|ies)|tonics?|drops|superfood powder|tablets?)\\b/",
    ],
  },
  medicines: {
    names: ["medicine", "pharma", "pharmaceutical", "pharmaceuticals", "prescription", "otc", "licensed_medicine"],
    cues: [
      "/\\b(?:medicines?|medications?|tablets?|prescriptions?|prescribed|ibuprofen|paracetamol|pharmac(?:y|ist|ies)|dosage|rx|pills?|cream|relief|symptoms|\\w{4,12}ologists?|side effects|injections?|arzneimittel)\\b/",
    ],
  },
  health_services: {
    names: ["clinic", "clinics", "aesthetics", "beauty_clinic", "dental"],
    cues: [
      "/\\b(?:clinics?|treatments?|consultations?|patients?|doctors?|therap(?:y|ies|ists?)|surgery|procedures?|dentists?|botox|fillers?)\\b/",
    ],
  },
  weight_loss: {
    names: ["weight", "slimming", "diet", "weight_control"],
    cues: [
      "/\\b(?:weight|slim(?:ming)?|lose \\d+ ?(?:lbs?|pounds|kg|kilos|stone)|diet(?:s|ing)?|fat burn(?:er|ing)|belly fat|inches)\\b/",
    ],
  },
  cosmetics: {
    names: ["beauty", "skincare", "personal_care"],
    cues: [
      "/\\b(?:skin(?:care)?|serums?|moisturisers?|moisturizers?|wrinkles?|shampoos?|creams?|anti-?ageing|anti-?aging|make-?up|mascara)\\b/",
    ],
  },
  investments: {
    names: ["investment", "investing", "investment_adviser", "wealth", "trading", "asset_management"],
    cues: [
      "/\\b(?:invest(?:s|ing|ments?|ors?)?|funds?|shares|stocks|isas?|portfolios?|returns?|dividends?|trad(?:e|ing|ers?)|bonds?|p2p|peer-to-peer|crowdfunding|mini-?bonds?|wealth|gold|pensions?|profits?|forex|cfds?|advisers?|performance|annuali[sz]ed)\\b/",
    ],
  },
  crypto: {
    names: ["cryptocurrency", "cryptoassets", "crypto_assets", "web3", "nft"],
    cues: [
      "/\\b(?:crypto(?:currenc(?:y|ies)|assets?)?|bitcoin|btc|ethereum|eth|tokens?|coins?|solana|xrp|ripple|memecoins?|hodl|presale|bull run|usdt|wallets?|altcoins?|stablecoins?|nfts?|defi|staking|blockchain)\\b/",
    ],
  },
  credit: {
    names: ["loans", "lending", "consumer_credit", "mortgages", "mortgage", "bnpl", "credit_cards"],
    cues: [
      "/\\b(?:loans?|credit|borrow(?:ing|ers?)?|apr|mortgages?|financ(?:e|ing)|repayments?|overdrafts?|instal?ments?|pay later|annual fee|balance transfers?|p\\.a\\.|down payment|\\$\\d{1,5} down|(?:monthly|weekly) payments?|hp|pcp|refinanc(?:e|ing)|taeg|mensualit[ée]s?|pr[êe]ts?|interest-free|interest rate|lenders?|payday|cr[ée]dit|emprunt)\\b/",
    ],
  },
  banking: {
    names: ["bank", "banks", "savings", "deposits"],
    cues: ["/\\b(?:banks?|savings?|deposits?|accounts?|apy|fdic|checking|interest)\\b/"],
  },
  insurance: { names: ["insurer"], cues: ["/\\binsur(?:ance|ers?|ed)\\b/"] },
  automotive: {
    names: ["auto_dealer", "cars", "auto", "car_dealer", "motor", "motoring", "vehicles"],
    cues: [
      "/\\b(?:cars?|vehicles?|suvs?|mpg|lease|leasing|dealers?|leases|pickups?|trucks?|wheels|due at signing|dealerships?|test drive|hatchback|sedan|electric range|test[ -]drives?|hybrids?|evs?|motors?|msrp)\\b/",
    ],
  },
  energy: { names: ["utilities"], cues: ["/\\b(?:energy|electricity|tariffs?|kwh|boilers?|solar|heat pumps?)\\b/"] },
  travel: {
    names: ["airline", "airlines", "cruise", "tourism", "transport", "holidays"],
    cues: [
      "/\\b(?:flights?|fly|airlines?|cruises?|holidays?|travel|hotels?|trains?|trips?|scooters?|aviation|flying|sail(?:s|ing)?|ferry|voyages?|cruising|destinations?|airports?)\\b/",
    ],
  },
  telecoms: { names: ["broadband", "mobile"], cues: ["/\\b(?:broadband|mobile|sim|5g|fibre|mbps|data plan)\\b/"] },
  retail: { names: ["fashion", "ecommerce", "e_commerce", "shopping"], cues: [] },
  software: { names: ["apps", "saas", "technology", "gaming", "games"], cues: [] },
  charity: { names: ["charities", "nonprofit", "non_profit"], cues: [] },
  political: {
    names: ["politics", "election", "elections", "campaign", "government"],
    cues: [
      "/\\b(?:vote|votes|voting|elect(?:ion|ions|ed)?|candidates?|congress|senate|parliament|campaign|ballot|councillors?|senators?|congress(?:man|woman)|governors?|mps?|mayor|president|referendum|constituency)\\b/",
    ],
  },
  nicotine: {
    names: ["vape", "vaping", "e_cigarettes", "tobacco", "vapes"],
    cues: [
      "/\\b(?:vap(?:e|es|ing|ers?)|e-?cig(?:s|arettes?)?|e-?liquids?|nicotine|pods? kits?|disposables?|tobacco|cigarettes?)\\b/",
    ],
  },
  toys: { names: ["children", "kids"], cues: ["/\\b(?:toys?|dolls?|playsets?|collect them all)\\b/"] },
  housing: { names: ["property", "real_estate"], cues: [] },
  education: { names: ["courses", "training"], cues: [] },
  entertainment: { names: ["film", "streaming", "music", "events", "tickets"], cues: [] },
  recruitment: { names: ["jobs"], cues: [] },
};

export const sectorNames: readonly string[] = Object.keys(sectors);

/** Names that cover several sectors: a bank's advertisement may be about savings, loans or funds, a less healthy food is a food. */
const umbrellas: Readonly<Record<string, readonly string[]>> = {
  hfss: ["hfss", "food"],
  lhf: ["hfss", "food"],
  less_healthy_food: ["hfss", "food"],
  finance: ["investments", "banking", "credit", "insurance"],
  financial_services: ["investments", "banking", "credit", "insurance"],
  fintech: ["banking", "credit", "investments"],
  health: ["health_services", "medicines", "supplements", "weight_loss"],
  healthcare: ["health_services", "medicines", "supplements", "weight_loss"],
};

/** The sectors that rules know by this name; none when we know none, which counts as not declared. */
export function sectorsOf(value: string | undefined): readonly string[] {
  if (typeof value !== "string") return [];
  const name = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s/&-]+/g, "_");
  const several = umbrellas[name];
  if (several !== undefined) return several;
  if (Object.hasOwn(sectors, name)) return [name];
  const known = Object.entries(sectors).find(([, { names }]) => names.includes(name))?.[0];
  return known === undefined ? [] : [known];
}

/** An advertisement comes back to its subject: in minutes or in a story, one lottery or one glass of wine shows nothing. */
export function showsSector(text: AssetText, wanted: readonly string[]): boolean {
  const cues = wanted.flatMap((sector) => sectors[sector]?.cues ?? []);
  const length = text.tracks.reduce((sum, track) => sum + track.text.length, 0);
  const needed = Math.min(1 + Math.floor(length / charactersForEachCue), maxCues);
  return findAll(text, cues).length >= needed;
}

/** The words by which a text shows each sector, each once. */
export function sectorWords(text: AssetText): { sector: string; words: string[] }[] {
  return Object.entries(sectors).flatMap(([sector, { cues }]) => {
    const words = new Set(findAll(text, cues).map(({ match }) => match.text.toLowerCase()));
    return words.size === 0 ? [] : [{ sector, words: [...words] }];
  });
}

const charactersForEachCue = 600;
const maxCues = 6;
