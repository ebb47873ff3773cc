import { createRequire } from "node:module";
import type { CountryCode, parsePhoneNumberFromString, PhoneNumber } from "libphonenumber-js/max";
import { hasNameBeside } from "./names-beside.ts";
import { type FoundDatum, maskEnds, type PersonalDatum } from "./personal-datum.ts";
import { spokenDigits } from "./spoken-digits.ts";

type Library = { parsePhoneNumberFromString: typeof parsePhoneNumberFromString };

const require = createRequire(import.meta.url);
let library: Library | undefined;

/** Loaded when the first number is seen: it takes longer than the rules need for most files. */
function phoneLibrary(): Library {
  return (library ??= require("libphonenumber-js/max") as Library);
}

/** As people write it: with or without the code of the country, brackets, points and dashes. */
const candidate = /(?<![\p{N}\p{L}.,£$€₹#/-])(?:\+|00)?\(?\d(?:[ ().\-\u00A0/]{0,3}\d){6,14}(?![\p{N}\p{L}%])/gu;

/** Where the number of an undeclared market is tried: by their forms these two cannot be taken for one another. */
const triedRegions: readonly CountryCode[] = ["GB", "US"];

/** Mobiles of every country. What does not show whose it is asks a person; freephone and service lines are companies'. */
export const phoneNumber: PersonalDatum = {
  name: "a personal phone number",
  find: (text, { regions }) => {
    const tried = regions.length > 0 ? regions : triedRegions;
    const written = /\d{2}/.test(text)
      ? Array.from(text.matchAll(candidate), (match) => ({
          start: match.index,
          end: match.index + match[0].length,
          value: match[0],
        }))
      : [];
    return [...written, ...spokenDigits(text, 9)].flatMap((found) => {
      const number = readNumber(found.value, tried);
      if (number === null || isReserved(number)) return [];
      const doubt = doubtAbout(number, text, found);
      return doubt === null ? [] : [{ ...maskEnds({ ...found, value: valueOf(found.value) }), isDoubtful: doubt }];
    });
  },
};

function valueOf(written: string): string {
  return written.replaceAll(/[^\d+]/gu, "").replace(/^\+440/, "+44");
}

function readNumber(written: string, regions: readonly CountryCode[]): PhoneNumber | null {
  if (isDateOrSum(written)) return null;
  const international = written.replace(/^00(?=[1-9])/, "+");
  for (const region of regions) {
    const number = phoneLibrary().parsePhoneNumberFromString(international, { defaultCountry: region, extract: false });
    if (number?.isValid() !== true) continue;
    // Ten digits in a row are an order number as often as an American phone.
    if (region === "US" && !/^\+|[().\- ]/.test(written.trim())) continue;
    return number;
  }
  return null;
}

/** 15.11.2026, 2026-11-15, 12-24-99: figures, but not to be called. */
function isDateOrSum(written: string): boolean {
  return /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$|^\d{4}[./-]\d{1,2}[./-]\d{1,2}(?:\D|$)|^\d{4}-\d{4}$/.test(written.trim());
}

/** Null: nobody's private number. True: a person has to tell. */
function doubtAbout(number: PhoneNumber, text: string, found: Pick<FoundDatum, "start" | "end">): boolean | null {
  const type = number.getType();
  if (type === "MOBILE" || type === "PERSONAL_NUMBER") return false;
  if (type === "FIXED_LINE_OR_MOBILE") return isCompanyLine(text, found) ? null : true;
  if (type !== "FIXED_LINE" && type !== "VOIP") return null;
  return !isCompanyLine(text, found) && hasNameBeside(text, found, 40) ? true : null;
}

const companyWords =
  /\b(?:freephone|toll[- ]free|helpline|hotline|switchboard|customer|customers|our team|head office|sales|enquir(?:y|ies)|inquiries|reception|support|lines? (?:are )?open|office|branch|store|showroom|clinic|box office|bookings?|reservations?|call us|phone us|ring us|contact us|call now|call today|call free|ltd|limited|plc|inc|llc|company|registered)\b/iu;

function isCompanyLine(text: string, { start, end }: Pick<FoundDatum, "start" | "end">): boolean {
  return companyWords.test(text.slice(Math.max(0, start - 60), end + 30));
}

/** Set aside for films and plays: by Ofcom, by the North American plan, by the ACMA. */
function isReserved(number: PhoneNumber): boolean {
  const { countryCallingCode, nationalNumber } = number;
  if (countryCallingCode === "44") return /^7700900|^1\d{2,3}4960|^20794609|^8081570|^909879/.test(nationalNumber);
  if (countryCallingCode === "1") return /^\d{3}55501\d\d$/.test(nationalNumber);
  return countryCallingCode === "61" && /^(?:491570|[2378]\d{0}5550|[2378]7010)/.test(nationalNumber);
}
