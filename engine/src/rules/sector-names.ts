import { editDistance } from "../edit-distance.ts";

/** The sectors that rules know, with the other names that people give them. */
const sectors: Readonly<Record<string, readonly string[]>> = {
  alcohol: [
    "alcoholic_drinks",
    "beer",
    "wine",
    "spirits",
    "brewing",
    "brewery",
    "cider",
    "bars",
    "pubs",
    "alcopops",
    "ale",
    "bottle_shop",
    "brandy",
    "champagne",
    "cocktails",
    "distillery",
    "distilling",
    "gin",
    "hard_seltzer",
    "lager",
    "liqueur",
    "liquor",
    "liquor_store",
    "off_licence",
    "prosecco",
    "rtd",
    "rum",
    "seltzer",
    "stout",
    "taproom",
    "tequila",
    "vineyard",
    "vodka",
    "whiskey",
    "whisky",
    "winery",
  ],
  gambling: [
    "betting",
    "casino",
    "lottery",
    "lotteries",
    "wagering",
    "bingo",
    "igaming",
    "gaming_and_betting",
    "bookmaker",
    "bookmakers",
    "fantasy_sports",
    "horse_racing",
    "poker",
    "prediction_markets",
    "rummy",
    "scratch_cards",
    "slots",
    "sportsbook",
  ],
  food: [
    "soft_drinks",
    "restaurants",
    "restaurant",
    "grocery",
    "groceries",
    "bakery",
    "cafe",
    "fmcg",
    "confectionery",
    "dairy",
    "catering",
    "bread",
    "cereal",
    "chocolate",
    "coffee",
    "energy_drinks",
    "fast_food",
    "juice",
    "meal_kits",
    "meat",
    "milk",
    "noodles",
    "seafood",
    "snacks",
    "soft_drink",
    "soup",
    "supermarket",
    "supermarkets",
    "sweets",
    "takeaway",
    "tea",
    "yogurt",
  ],
  hfss: [],
  supplements: [
    "supplement",
    "food_supplements",
    "dietary_supplements",
    "vitamins",
    "nutrition",
    "greens_powder",
    "herbal",
    "nootropics",
    "probiotic",
    "probiotics",
    "protein",
  ],
  medicines: [
    "medicine",
    "pharma",
    "pharmaceutical",
    "pharmaceuticals",
    "pharmacy",
    "prescription",
    "otc",
    "licensed_medicine",
    "nicotine_replacement",
    "nrt",
  ],
  health_services: [
    "clinic",
    "clinics",
    "aesthetics",
    "beauty_clinic",
    "cosmetic_surgery",
    "dental",
    "dentistry",
    "telehealth",
    "hospital",
    "dentist",
    "dentists",
    "dermatology",
    "fertility",
    "gp",
    "hair_transplant",
    "ivf",
    "med_spa",
    "medical_tourism",
    "surgery",
  ],
  weight_loss: ["weight", "slimming", "diet", "weight_control", "weight_management"],
  cosmetics: [
    "beauty",
    "skincare",
    "personal_care",
    "toiletries",
    "haircare",
    "hair",
    "fragrance",
    "hair_removal",
    "make_up",
    "makeup",
    "oral_care",
    "perfume",
    "suncare",
    "sunscreen",
    "tanning",
  ],
  investments: [
    "investment",
    "investing",
    "investment_adviser",
    "wealth",
    "trading",
    "asset_management",
    "pensions",
    "bonds",
    "broking",
    "cfd",
    "crowdfunding",
    "etf",
    "forex",
    "fund",
    "funds",
    "ira",
    "isa",
    "mini_bonds",
    "p2p",
    "peer_lending",
    "peer_to_peer",
    "shares",
    "spread_betting",
    "stockbroker",
    "stocks",
    "syndicate",
    "wealth_management",
  ],
  crypto: [
    "cryptocurrency",
    "cryptocurrencies",
    "cryptoassets",
    "crypto_assets",
    "digital_assets",
    "web3",
    "nft",
    "bitcoin",
    "defi",
    "memecoin",
    "memecoins",
    "tokens",
  ],
  credit: [
    "loans",
    "loan",
    "lending",
    "consumer_credit",
    "mortgages",
    "mortgage",
    "bnpl",
    "credit_cards",
    "payday_loans",
    "home_equity",
    "equity_release",
    "remortgages",
    "moneylender",
    "pawnbroker",
    "pawnbroking",
    "debt_consolidation",
    "buy_now_pay_later",
    "bridging",
    "buy_to_let",
    "consolidation",
    "credit_broker",
    "heloc",
    "hire_purchase",
    "leasing",
    "lease",
    "lender",
    "lenders",
    "logbook",
    "microcredit",
    "microfinance",
    "moneylending",
    "pawn",
    "payday",
    "second_charge",
  ],
  banking: ["bank", "banks", "savings", "deposits", "payments", "e_money", "neobank"],
  insurance: ["insurer", "insurers"],
  automotive: [
    "auto_dealer",
    "cars",
    "car",
    "auto",
    "car_dealer",
    "motor",
    "motoring",
    "motors",
    "vehicles",
    "4wd",
    "dealership",
    "ev",
    "evs",
    "motorbikes",
    "motorcycles",
    "pickups",
    "plug_in_hybrid",
    "suv",
    "suvs",
    "ute",
    "utes",
  ],
  energy: ["utilities", "utility", "fuel", "electricity", "gas", "oil_and_gas", "petrol", "solar"],
  travel: [
    "airline",
    "airlines",
    "aviation",
    "cruise",
    "tourism",
    "transport",
    "holidays",
    "hotels",
    "hospitality",
    "car_hire",
    "coach_travel",
    "ferries",
    "ferry",
    "flights",
    "holiday_rental",
    "rail",
    "railways",
    "tours",
    "trains",
  ],
  telecoms: ["telecom", "telecommunications", "broadband", "mobile", "phones", "telco"],
  retail: [
    "fashion",
    "clothing",
    "apparel",
    "ecommerce",
    "e_commerce",
    "shopping",
    "furniture",
    "electronics",
    "appliances",
  ],
  software: ["apps", "app", "saas", "tech", "technology", "gaming", "games", "video_games", "antivirus"],
  charity: ["charities", "nonprofit", "non_profit", "ngo", "fundraising"],
  political: ["politics", "election", "elections", "campaign", "government"],
  nicotine: [
    "vape",
    "vaping",
    "e_cigarettes",
    "tobacco",
    "vapes",
    "cigarettes",
    "cigars",
    "hookah",
    "nicotine_pouches",
    "pouches",
    "shisha",
    "snus",
  ],
  toys: ["toy", "children", "kids", "dolls"],
  housing: ["property", "real_estate", "estate_agents", "lettings", "letting"],
  education: ["courses", "training", "schools", "university", "universities", "college", "school", "tutoring"],
  entertainment: [
    "attraction",
    "attractions",
    "film",
    "streaming",
    "music",
    "events",
    "tickets",
    "arts",
    "art",
    "culture",
    "museum",
    "museums",
    "theatre",
    "theater",
  ],
  recruitment: ["jobs", "careers", "hiring", "recruiter", "recruiters"],
};

export const sectorNames: readonly string[] = Object.keys(sectors);

const money = ["investments", "crypto", "credit", "banking", "insurance"];
const health = ["health_services", "medicines", "supplements", "weight_loss"];

/** Names that cover several sectors: a bank's advertisement may be about savings, loans or funds, a less healthy food is a food. */
const umbrellas: Readonly<Record<string, readonly string[]>> = {
  hfss: ["hfss", "food"],
  lhf: ["hfss", "food"],
  less_healthy_food: ["hfss", "food"],
  junk_food: ["hfss", "food"],
  food_and_drink: ["food", "alcohol"],
  drinks: ["food", "alcohol"],
  beverages: ["food", "alcohol"],
  finance: money,
  financial: money,
  financial_services: money,
  financial_products: money,
  fintech: money,
  money: money,
  personal_finance: money,
  building_society: ["banking", "credit"],
  credit_union: ["banking", "credit"],
  health,
  healthcare: health,
  health_care: health,
  medical: health,
  wellness: health,
  wellbeing: health,
};

/**
 * The sectors that rules know by this name; none when we know none, which counts as not declared. Of a name that is not
 * known as a whole its last words count ("secured loans", "car insurance"), then its first ("tobacco pouches").
 */
export function sectorsOf(value: string | undefined): readonly string[] {
  const name = plainName(value);
  if (isFieldName(name)) return knownAs(name);
  const words = name.split("_");
  const subject = words.filter((word) => !ways.has(word));
  for (const part of [name, ...endingsOf(subject), ...beginningsOf(subject), ...endingsOf(words)]) {
    const known = knownAs(part);
    if (known.length > 0) return known;
  }
  return [];
}

function endingsOf(words: readonly string[]): string[] {
  return words.map((_, from) => words.slice(from).join("_"));
}

function beginningsOf(words: readonly string[]): string[] {
  return words.map((_, less) => words.slice(0, words.length - less).join("_"));
}

/** A trading app is about trading and a wine shop about wine. */
const ways = new Set(["app", "apps", "brand", "company", "online", "platform", "provider", "shop", "site", "store"]);

function knownAs(name: string): readonly string[] {
  for (const form of [name, `${name}s`]) {
    if (Object.hasOwn(umbrellas, form)) return umbrellas[form] ?? [];
    if (Object.hasOwn(sectors, form)) return [form];
    const known = Object.entries(sectors).find(([, names]) => names.includes(form))?.[0];
    if (known !== undefined) return [known];
  }
  return [];
}

/**
 * Sectors that sell each other's products: a bank lends, an investment platform has coins. A rule of one concerns a file
 * that was declared as another when its words show that it is about it.
 */
export function kinOf(declared: readonly string[]): readonly string[] {
  return declared.some((sector) => money.includes(sector)) ? money : [];
}

/** What the heads are told about a sector: broad fields, so that "finance", "banking" and "loans" give one answer. */
const fields: Readonly<Record<string, readonly string[]>> = {
  money: ["investments", "crypto", "credit", "banking", "superannuation"],
  health: [...health, "devices", "optical"],
  food: ["food", "hfss"],
  cosmetics: ["cosmetics", "aesthetics", "beauty_clinic", "cosmetic_surgery"],
  fashion: ["fashion", "clothing", "jewellery", "jewelry", "footwear", "accessories"],
  home: [
    "home",
    "household",
    "furniture",
    "appliances",
    "homeware",
    "garden",
    "gardening",
    "diy",
    "tools",
    "home_improvement",
    "home_services",
    "construction",
    "cleaning",
    "household_goods",
    "homewares",
    "mattress",
    "mattresses",
    "paint",
    "flooring",
    "detergent",
    "hardware",
    "crafts",
    "home_security",
  ],
  pets: ["pets", "pet", "pet_food", "pet_care", "pet_products"],
  sport: ["sport", "sports", "fitness", "leisure", "cycling", "outdoor", "gym", "gyms"],
  media: ["media", "news", "publishing", "books", "journalism", "press", "magazine", "magazines", "newspaper"],
  legal: ["legal", "legal_services", "law", "law_firm", "solicitors", "lawyers", "claims_management", "injury_law"],
  baby: ["baby", "baby_products", "baby_goods", "nursery", "parenting"],
  dating: ["dating", "matrimonial"],
  services: ["services", "professional_services", "business_services", "consulting"],
  farming: ["farming", "agriculture", "agri", "forestry"],
  public: [
    "public",
    "public_service",
    "public_services",
    "public_information",
    "public_sector",
    "community",
    "safety",
    "council",
    "library",
    "nhs",
    "government",
    "regulator",
  ],
  work: [
    "recruitment",
    "business",
    "b2b",
    "trade",
    "franchise",
    "direct_selling",
    "mlm",
    "business_opportunity",
    "sales",
  ],
  promotions: ["promotions", "promotion", "prize_promotion", "prize_promotions", "competitions", "prizes"],
};

/** The field of a sector; a sector that no rule knows still tells where a text lives. Null: none declared. */
export function fieldOf(value: string | undefined): string | null {
  const name = plainName(value);
  if (name === "") return null;
  const [sector = name] = sectorsOf(value);
  const named = (wanted: string) => Object.entries(fields).find(([, names]) => names.includes(wanted))?.[0];
  return named(name) ?? named(sector) ?? sector;
}

/** Whether rules or heads know what was meant. Where they do not, it counts as not declared. */
export function isKnownSector(value: string | undefined): boolean {
  return isFieldName(plainName(value)) || sectorsOf(value).length > 0;
}

/** Sectors with a name that is spelled like this one, or shares a word with it. */
export function sectorsLike(value: string | undefined): string[] {
  const name = plainName(value);
  const ranked = Object.entries(sectors)
    .map(([sector, names]) => ({
      sector,
      far: Math.min(...[sector, ...names].map((other) => unlikeness(name, other))),
    }))
    .toSorted((a, b) => a.far - b.far);
  const limit = Math.min(0.34, (ranked[0]?.far ?? 1) + 0.1);
  const near = ranked.filter(({ far }) => far <= limit).map(({ sector }) => sector);
  return near.slice(0, 3);
}

function unlikeness(one: string, other: string): number {
  const sharesWord = one.split("_").some((word) => word.length > 3 && other.split("_").includes(word));
  return sharesWord ? 0 : editDistance(one, other) / Math.max(one.length, other.length);
}

/** "Home services" is a field of its own, and no kind of "services". */
function isFieldName(name: string): boolean {
  return Object.values(fields).some((names) => names.includes(name));
}

function plainName(value: string | undefined): string {
  return typeof value === "string"
    ? value
        .trim()
        .toLowerCase()
        .replaceAll(/[\s/&_-]+/g, "_")
    : "";
}
