import { beside, hasName, hasNameBeside } from "./names-beside.ts";
import { type FoundDatum, maskEnds, type PersonalDatum } from "./personal-datum.ts";

export const emailAddress: PersonalDatum = {
  name: "a personal e-mail address",
  find: (text) =>
    matchesIf(
      text.includes("@"),
      text,
      /[\p{L}\p{N}](?:[\p{L}\p{N}._%+-]{0,63})@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,250})\.\p{L}{2,24}(?![\p{L}\p{N}])/gu,
    )
      .filter(({ value }) => isPersonalAddress(value))
      .map((found) => ({
        ...found,
        masked: maskEmail(found.value),
        // Beside a name it is that person's, whatever the domain: a testimonial, a list of members.
        isDoubtful: isReservedDomain(found.value) && !hasNameBeside(text, found, 60),
      })),
};

export const iban: PersonalDatum = {
  name: "a bank account number (IBAN)",
  find: (text) =>
    matchesIf(/[A-Za-z\u017F\u212A]{2}\d{2}/.test(text), text, /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?= ?[A-Z0-9])/giu)
      .flatMap(({ start }) => readIban(text, start))
      .map(maskEnds),
};

export const ukInsuranceNumber: PersonalDatum = {
  name: "a UK National Insurance number",
  find: (text) =>
    matchesIf(
      /\d ?\d{2} ?\d{2} ?[A-D]/.test(text),
      text,
      /(?<![\p{L}\p{N}])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\p{L}\p{N}])/gu,
    )
      .map((found) => ({ ...found, value: found.value.replaceAll(" ", "") }))
      .map(maskEnds),
};

export const usSocialSecurityNumber: PersonalDatum = {
  name: "a US Social Security number",
  find: (text) =>
    matchesIf(
      /\d-\d{2}-\d/.test(text),
      text,
      /(?<![\p{N}-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\p{N}-])/gu,
    ).map(maskEnds),
};

export const aadhaar: PersonalDatum = {
  name: "an Aadhaar number",
  find: (text) =>
    matchesIf(
      /\d[ -]\d{4}[ -]\d/.test(text),
      text,
      /(?<![\p{N}-])[2-9]\d{3}[ -]\d{4}[ -]\d{4}(?![\p{N} -]{0,1}\p{N})/gu,
    )
      .map((found) => ({ ...found, value: found.value.replaceAll(/\D/gu, "") }))
      .filter(({ value }) => hasVerhoeffDigit(value))
      .map(maskEnds),
};

/**
 * After a label any whole date is one; after "born" only beside a name, and then a person must tell whether it is a
 * public figure's. The dead have no personal data, and nobody alive was born before 1910.
 */
export const birthDate: PersonalDatum = {
  name: "a date of birth",
  find: (text) => {
    const dates = [
      ...datesAfter(text, birthLabel).map((found) => ({ ...found, isDoubtful: !hasName(beside(text, found, 100)) })),
      ...datesAfter(text, bornWord)
        .filter(({ start }) => hasName(text.slice(Math.max(0, start - 60), start)))
        .map((found) => ({ ...found, isDoubtful: true })),
    ];
    return dates.filter(
      (found) => !/\b(?:died|dies|dead|death|killed|obituary|funeral)\b|†/iu.test(beside(text, found, 120)),
    );
  },
};

const birthLabel =
  /(?<!\p{L})(?:dob|d\.o\.b\.?|date of birth|birth ?date|geburtsdatum|date de naissance|fecha de nacimiento|data di nascita|geboortedatum)(?: \([^)\n]{1,20}\))?[\s:=|-]{1,6}(?=\p{L}{0,9}\.? ?\d)/giu;
const bornWord =
  /(?<!\p{L})(?:born|geboren|née?|nacid[oa]|nat[oa])(?: in \p{L}{3,20})?(?: on| am| le| el| il)? (?=\p{L}{0,9}\.? ?\d)/giu;
const wholeDate =
  /^(?:\d{1,2}[/.-]\d{1,2}[/.-](\d{4})|(\d{4})-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th|\.)? (?:of |de )?\p{L}{3,10}\.?,? (?:de )?(\d{4})|\p{L}{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? (\d{4}))(?!\p{N})/iu;

function datesAfter(text: string, lead: RegExp): FoundDatum[] {
  return matchesIf(/\d{4}/.test(text), text, lead).flatMap(({ start, end: dateStart }) => {
    const date = wholeDate.exec(text.slice(dateStart, dateStart + 40));
    const year = date?.slice(1).find((group) => group !== undefined) ?? "";
    if (date === null || year < "1910" || year > "2100") return [];
    return [{ start, end: dateStart + date[0].length, value: date[0], masked: `…${year}` }];
  });
}

/** `may`: what costs little to ask. Most texts are then spared the pattern, which is dear to compile and to search for. */
function matchesIf(may: boolean, text: string, pattern: RegExp): Omit<FoundDatum, "masked">[] {
  if (!may) return [];
  return Array.from(text.matchAll(pattern), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    value: match[0],
  }));
}

function maskEmail(address: string): string {
  const [local = "", domain = ""] = address.split("@", 2);
  return `${local.slice(0, 1)}…@${domain}`;
}

/** Roles, not people: what a company prints on purpose. */
const roles =
  /^(?:info|infos|contact|contactus|contact-us|hello|hi|help|helpdesk|support|customer|customers|customer[._-]?(?:care|service|services|support)|care|service|services|sales|press|media|marketing|office|mail|email|enquir(?:y|ies)|inquir(?:y|ies)|bookings?|booking|reservations?|orders?|shop|store|admin|jobs|careers|recruitment|hr|team|editor|newsdesk|news|legal|privacy|dpo|complaints?|feedback|returns?|billing|accounts?|finance|donate|donations?|noreply|no-reply|webmaster|postmaster|abuse|security|partners?|advertising|ads|volunteer|volunteering|membership|tickets?|events?|registrar|admissions|reception|query|queries|ask|you|your\.?name|name|someone|user|username|firstname\.lastname|customerservices?)[\d._-]*$/iu;

function isPersonalAddress(address: string): boolean {
  const [local = "", domain = ""] = address.toLowerCase().split("@", 2);
  return domain !== "" && !roles.test(local);
}

/** Domains that nobody can own. */
function isReservedDomain(address: string): boolean {
  return /@(?:.*\.)?(?:example|test|invalid|localhost)(?:\.[a-z.]+)?$/iu.test(address);
}

/**
 * Length by country, of ISO 13616's registry. Not validator's isIBAN: it says whether a text is a number, and knows 80
 * countries, but not where in a sentence a number ends.
 */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  [
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28",
    "DZ26 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23",
    "IR26 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MA28 MC27 MD24 ME22 MK19 MN20 MR27",
    "MT31 MU30 MZ25 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19",
    "SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30",
  ].flatMap((row) => row.split(" ").map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const)),
);

/** As many characters as the country has, spaces between them left out. */
function readIban(text: string, start: number): Omit<FoundDatum, "masked">[] {
  const length = ibanLengths.get(text.slice(start, start + 2).toUpperCase()) ?? 0;
  let value = "";
  let end = start;
  for (; end < text.length && value.length < length; end += 1) {
    const character = text[end] ?? "";
    if (/[A-Z0-9]/iu.test(character)) value += character.toUpperCase();
    else if (character !== " " || text[end - 1] === " ") break;
  }
  const isWhole = !/[\p{L}\p{N}]/u.test(text[end] ?? "");
  return value.length === length && length > 0 && isWhole && isIban(value) ? [{ start, end, value }] : [];
}

function isIban(value: string): boolean {
  if (ibanLengths.get(value.slice(0, 2)) !== value.length) return false;
  const turned = value.slice(4) + value.slice(0, 4);
  let remainder = 0;
  for (const character of turned) {
    for (const digit of Number.parseInt(character, 36).toString()) remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder === 1;
}

function hasVerhoeffDigit(digits: string): boolean {
  let check = 0;
  for (const [index, digit] of digits.split("").toReversed().entries()) {
    check = multiply(check, permute(index % 8, Number(digit)));
  }
  return check === 0;
}

/** In the group of the symmetries of a pentagon, which is what Verhoeff's digit is made of. */
function multiply(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b - 5) % 5);
  return b < 5 ? 5 + ((a - 5 - b + 5) % 5) : (a - b + 5) % 5;
}

function permute(times: number, digit: number): number {
  const once = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
  let result = digit;
  for (let round = 0; round < times; round += 1) result = once[result] ?? 0;
  return result;
}
