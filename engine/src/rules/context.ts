import { severities, type Severity } from "../finding.ts";
import type { Context, Rule } from "../sidekick.ts";
import { kinOf, sectorNames, sectorsOf } from "./sector-names.ts";

/**
 * What is known about how a rule concerns a file. `undeclared` names what the submission left open; `mustShowSector`:
 * only where its words show the rule's sector.
 */
export type Applicability = { applies: false } | { applies: true; undeclared: string[]; mustShowSector: boolean };

const memberStates = new Set(
  "AT BE BG CY CZ DE DK EE EL ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);
const knownJurisdictions = new Set([...memberStates, "UK", "EU", "US", "AU", "NZ", "IN", "CA"]);
const jurisdictionNames: Readonly<Record<string, string>> = { GB: "UK", USA: "US", "US-CA": "US", "US-NY": "US" };

/** Says for each rule whether it is a duty for what the submission declared. An unknown value counts as not declared. */
export function applicabilityIn(declaredContext: Context, today: string): (rule: Rule) => Applicability {
  const context = withImplied(declaredContext);
  const declared = jurisdictionsOf(context);
  const isElsewhere = namesCountry(context);
  const sectors = sectorsOf(context.sector);
  const kin = kinOf(sectors);
  const known = {
    sector: [...sectors, ...kin],
    channel: knownName(context.channel, channels),
    audience: knownName(context.audience, audiences),
    destination: destinationsOf(context),
  };
  return (rule) => {
    if (rule.from !== null && today < rule.from) return { applies: false };
    const undeclared: string[] = [];
    if (rule.jurisdictions.length > 0) {
      if (declared.length === 0 && !(isElsewhere && isOfTheWorld(rule))) undeclared.push("jurisdiction");
      else if (declared.length > 0 && !declared.some((place) => isWithin(place, rule.jurisdictions)))
        return { applies: false };
    }
    const isNamed = sectors.length > 0 && sectors.every((sector) => rule.sectors.includes(sector));
    const asked: [keyof typeof known, readonly string[]][] = [
      ["sector", rule.sectors],
      ["channel", rule.channels],
      ["audience", rule.audiences],
      ["destination", rule.destinations],
    ];
    for (const [name, wanted] of asked) {
      if (wanted.length === 0) continue;
      if (known[name].length === 0) undeclared.push(name);
      else if (!known[name].some((value) => wanted.includes(value))) return { applies: false };
    }
    const mustShowSector = rule.sectors.length > 0 && (undeclared.includes("sector") || (kin.length > 0 && !isNamed));
    return { applies: true, undeclared, mustShowSector };
  };
}

/** `United Kingdom` and `gb` are not worth an error: what is not known is not declared. */
export function jurisdictionsOf(context: Context): string[] {
  return (context.jurisdictions ?? []).flatMap((name) => {
    const upper = name.trim().toUpperCase();
    const code = jurisdictionNames[upper] ?? upper;
    return knownJurisdictions.has(code) ? [code] : [];
  });
}

/** A rule of all these places states what advertising codes agree on everywhere, Singapore and South Africa included. */
const world = ["UK", "EU", "US", "AU", "CA", "NZ", "IN"];

function isOfTheWorld(rule: Rule): boolean {
  return world.every((place) => rule.jurisdictions.includes(place));
}

/** A country that has no rules of its own here is declared all the same. */
function namesCountry({ jurisdictions = [] }: Context): boolean {
  return jurisdictions.some((name) => countries.has(name.trim().toUpperCase()));
}

const countries: ReadonlySet<string> = new Set(
  (
    "AE AR BD BH BR BW CH CL CN CO EG ET FJ GH HK ID IL IS JM JO JP KE KH KR KW LB LI LK MA MO MU MW MX MY " +
    "NA NG NO NP OM PA PE PH PK QA RS RW SA SG TH TR TT TW TZ UA UG UY VN ZA ZM ZW"
  ).split(" "),
);

/** The declared channel by the name that rules use. */
export function channelsOf(context: Context): string[] {
  return knownName(context.channel, channels);
}

export function lowerSeverity(severity: Severity): Severity {
  return severities[Math.min(severities.indexOf(severity) + 1, severities.length - 1)] ?? "INFO";
}

function isWithin(place: string, wanted: readonly string[]): boolean {
  return wanted.includes(place) || (memberStates.has(place) && wanted.includes("EU"));
}

/** The channels and audiences that rules know, with other names that people give them. */
const channels: Readonly<Record<string, readonly string[]>> = {
  tv: ["television", "broadcast", "ctv", "connected_tv", "vod", "bvod", "on_demand", "linear_tv"],
  radio: ["audio", "podcast", "podcasts"],
  online: [
    "web",
    "website",
    "digital",
    "paid_online",
    "display",
    "banner",
    "search",
    "programmatic",
    "app",
    "in_app",
    "push",
    "push_notification",
    "internet",
    "video",
    "online_video",
  ],
  social: [
    "social_media",
    "instagram",
    "tiktok",
    "youtube",
    "facebook",
    "x",
    "twitter",
    "snapchat",
    "linkedin",
    "pinterest",
    "influencer",
  ],
  print: [
    "press",
    "newspaper",
    "magazine",
    "brochure",
    "leaflet",
    "flyer",
    "packaging",
    "label",
    "direct_mail",
    "letter",
  ],
  outdoor: ["ooh", "out_of_home", "billboard", "poster", "dooh"],
  email: ["e_mail", "newsletter", "crm", "sms"],
  cinema: ["film"],
};
const audiences: Readonly<Record<string, readonly string[]>> = {
  general: ["all", "everyone", "public", "consumers", "mass"],
  children: ["kids", "child", "under_16", "under_12", "under_18", "minors", "teens", "young_people"],
  adults: ["adult", "18+", "over_18"],
  trade: ["b2b", "professional", "professionals", "business"],
};

/** Where a file can be delivered to, with other names that people give it. */
const destinations: Readonly<Record<string, readonly string[]>> = {
  ebu: ["ebu_r128", "ebu_r_128", "r128", "r_128", "ebu_r128_s1", "r128_s1"],
  eu_tv: ["european_tv", "eu_broadcast", "broadcast_eu"],
  uk_tv: ["uk_broadcast", "broadcast_uk", "clearcast", "dpp", "itv", "channel_4", "bbc", "uk_television"],
  atsc: ["atsc_a/85", "atsc_a85", "a/85", "a85", "calm"],
  us_tv: ["us_broadcast", "broadcast_us", "us_television", "us_networks"],
  au_tv: ["free_tv", "op_59", "op59", "au_broadcast"],
  nz_tv: ["nz_broadcast"],
  netflix: [],
  youtube: ["streaming", "online_video", "web", "social"],
  spotify: ["music_streaming"],
  apple_music: [],
  apple_podcasts: ["podcast", "podcasts"],
};

/** A film for British television is shown in Britain and on television, whether that is said again or not. */
const implied: Readonly<Record<string, { jurisdictions: readonly string[]; channel: string }>> = {
  eu_tv: { jurisdictions: ["EU"], channel: "tv" },
  uk_tv: { jurisdictions: ["UK"], channel: "tv" },
  us_tv: { jurisdictions: ["US"], channel: "tv" },
  au_tv: { jurisdictions: ["AU"], channel: "tv" },
  nz_tv: { jurisdictions: ["NZ"], channel: "tv" },
};

function withImplied(context: Context): Context {
  const more = knownName(context.destination, destinations).flatMap((name) => implied[name] ?? [])[0];
  if (more === undefined) return context;
  return {
    ...context,
    ...(jurisdictionsOf(context).length === 0 && { jurisdictions: more.jurisdictions }),
    ...(knownName(context.channel, channels).length === 0 && { channel: more.channel }),
  };
}

/** And the other way round: what is for television in Britain goes to British television when no other place is named. */
function destinationsOf(context: Context): string[] {
  const declared = knownName(context.destination, destinations);
  if (declared.length > 0 || !knownName(context.channel, channels).includes("tv")) return declared;
  const places = jurisdictionsOf(context);
  return Object.entries(implied).flatMap(([name, { jurisdictions }]) =>
    places.some((place) => isWithin(place, jurisdictions)) ? [name] : [],
  );
}

/** Names in a rule that no submission could ever declare: the rule would never apply. */
export function unknownNames(rule: {
  jurisdictions?: readonly string[];
  sectors?: readonly string[];
  channels?: readonly string[];
  audiences?: readonly string[];
  destinations?: readonly string[];
}): { key: string; index: number; name: string; known: readonly string[] }[] {
  const lists: [string, readonly string[], readonly string[]][] = [
    ["jurisdictions", rule.jurisdictions ?? [], [...knownJurisdictions]],
    ["sectors", rule.sectors ?? [], sectorNames],
    ["channels", rule.channels ?? [], Object.keys(channels)],
    ["audiences", rule.audiences ?? [], Object.keys(audiences)],
    ["destinations", rule.destinations ?? [], Object.keys(destinations)],
  ];
  return lists.flatMap(([key, names, known]) =>
    names.flatMap((name, index) => (known.includes(name) ? [] : [{ key, index, name, known }])),
  );
}

/** None for a value that nobody knows: it counts as not declared. */
function knownName(value: string | undefined, known: Readonly<Record<string, readonly string[]>>): string[] {
  return plainName(value).flatMap((name) => {
    if (Object.hasOwn(known, name)) return [name];
    const found = Object.entries(known).find(([, names]) => names.includes(name))?.[0];
    return found === undefined ? [] : [found];
  });
}

function plainName(value: string | undefined): string[] {
  const name =
    typeof value === "string"
      ? value
          .trim()
          .toLowerCase()
          .replaceAll(/[\s-]+/g, "_")
      : "";
  return name === "" ? [] : [name];
}
