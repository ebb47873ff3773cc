import type { CountryCode } from "libphonenumber-js/max";

/** One kind of personal data: how it is called, and where it stands in a text, each value validated and masked. */
export type PersonalDatum = { name: string; find: (text: string, market: Market) => FoundDatum[] };

/** The declared markets, where numbers without the code of a country belong. */
export type Market = { regions: readonly CountryCode[] };

export type FoundDatum = {
  start: number;
  end: number;
  value: string;
  masked: string;
  /** True where it may well be nobody's: a reserved domain, a number that could be a company's. */
  isDoubtful?: boolean;
};

export function maskEnds(found: Omit<FoundDatum, "masked">): FoundDatum {
  const { value } = found;
  const shown = value.length >= 12 ? 4 : 2;
  return { ...found, masked: `${value.slice(0, shown)}…${value.slice(-shown)}` };
}
