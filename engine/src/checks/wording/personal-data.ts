import { Type } from "typebox";
import type { Evidence } from "../../evidence/evidence.ts";
import { type AssetText, locate, plainText, type TextTrack } from "../../text/asset-text.ts";
import { defineCheckKind, everyKind, type Hit, textNeeds } from "../check-kind.ts";
import type { CountryCode } from "libphonenumber-js/max";
import { jurisdictionsOf } from "../../rules/context.ts";
import type { Context } from "../../sidekick.ts";
import { cardNumber } from "./card-number.ts";
import type { Market, PersonalDatum } from "./personal-datum.ts";
import {
  aadhaar,
  birthDate,
  emailAddress,
  iban,
  ukInsuranceNumber,
  usSocialSecurityNumber,
} from "./personal-numbers.ts";
import { phoneNumber } from "./phone-number.ts";

const kinds = {
  email: emailAddress,
  phone: phoneNumber,
  card: cardNumber,
  iban,
  "uk-nino": ukInsuranceNumber,
  "us-ssn": usSocialSecurityNumber,
  "in-aadhaar": aadhaar,
  "birth-date": birthDate,
} satisfies Record<string, PersonalDatum>;

type Kind = keyof typeof kinds;

/** Data of a person that the audience, or anyone who gets the file, could read. Each value once, never quoted in full. */
export const personalData = defineCheckKind({
  kind: "personal-data",
  about: "Personal data on screen, in speech, in captions and in documents, validated before it is reported.",
  parameters: Type.Object({ what: Type.Array(Type.Enum(Object.keys(kinds) as Kind[]), { minItems: 1 }) }),
  appliesTo: everyKind,
  needs: () => textNeeds,
  run({ evidence, text, parameters, context }) {
    const market = marketOf(context);
    const hits = new Map<string, Hit>();
    for (const what of parameters.what) {
      for (const place of places(text, evidence)) {
        for (const hit of judgePlace(what, place, market)) if (!hits.has(hit.identity)) hits.set(hit.identity, hit);
      }
    }
    return [...hits.values()];
  },
});

/** The declared places, as phone numbers know them. */
function marketOf(context: Context): Market {
  const places = jurisdictionsOf(context).filter((place) => place !== "EU");
  return { regions: places.map((place) => (place === "UK" ? "GB" : place === "EL" ? "GR" : place) as CountryCode) };
}

function judgePlace(what: Kind, { track, where, isHidden }: Place, market: Market): Hit[] {
  const { name, find } = kinds[what];
  return find(track.text, market)
    .filter(({ start, end }) => !isExample(track.text, start, end))
    .map(({ start, end, value, masked, isDoubtful }) => {
      const { quote: _quote, ...at } = locate(track, start, end);
      const form = isBareForm(what) ? "the form" : "the form and, where it has one, the check digit";
      return {
        summary: `${capitalise(name)} ${where}: ${masked}.`,
        headline: `${capitalise(name)}: ${masked}`,
        reasoning: `${masked} has ${form} of ${name} and stands ${where}${isHidden ? ", where anyone who opens the file finds it" : ""}. ${leftOut(what)}`,
        identity: value,
        location: { ...at, quote: masked },
        // It may be the company's own line, or a public figure's birthday: a person can tell at a glance.
        ...(isDoubtful && { severity: "INFO" as const, needsHuman: true }),
      };
    });
}

function isBareForm(what: Kind): boolean {
  return what === "email" || what === "phone" || what === "birth-date";
}

function leftOut(what: Kind): string {
  return what === "birth-date"
    ? "People who have died and what is called an example are left out."
    : "A company's contact lines and what is called an example are left out.";
}

/** “Test card”, “for example”: said to be nobody's. */
function isExample(text: string, start: number, end: number): boolean {
  return /\b(?:test(?:ing)? (?:cards?|numbers?|payments?|data)|example|e\.g\.|specimen|sample|dummy|fictional|fictitious|sandbox|placeholder)\b/iu.test(
    text.slice(Math.max(0, start - 80), end + 60).replaceAll(/\S+@\S+/gu, ""),
  );
}

type Place = { track: TextTrack; where: string; isHidden: boolean };

const whereWords = { screen: "on screen", speech: "in the voice", caption: "in the captions", document: "in the text" };

function places({ tracks }: AssetText, { document }: Evidence): Place[] {
  const seen = tracks.map((track) => ({ track, where: whereWords[track.source], isHidden: false }));
  const hidden = (document?.pages ?? []).flatMap(({ page, blocks }) =>
    blocks.flatMap((block): Place[] => {
      const where = hiddenWords[block.kind];
      if (where === undefined) return [];
      const text = plainText(block.text);
      const pieces = [{ start: 0, end: text.length, at: { page, region: block.region }, super: null }];
      return [{ track: { source: "document", text, pieces }, where, isHidden: true }];
    }),
  );
  return [...seen, ...hidden];
}

const hiddenWords: Readonly<Record<string, string | undefined>> = {
  comment: "in a comment",
  deleted: "in deleted text that is still in the file",
  hidden: "in hidden text",
  note: "in the speaker's notes",
};

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
