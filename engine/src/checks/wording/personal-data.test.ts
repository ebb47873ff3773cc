import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeText } from "../../rules/self-test.ts";
import { makeSidekick } from "../../testing/sidekicks.ts";

const all = ["email", "phone", "card", "iban", "uk-nino", "us-ssn", "in-aadhaar", "birth-date"];
const sidekick = makeSidekick({ check: { kind: "personal-data", what: all } });

function find(text: string, ...jurisdictions: string[]): string[] {
  const findings = judgeText(sidekick, { text, context: { jurisdictions }, on: "document" }, sidekick.rules);
  return findings.map(({ location, severity }) => `${location?.quote}${severity === "INFO" ? " ?" : ""}`);
}

const personal: [what: string, text: string, masked: string][] = [
  ["an e-mail address", "Write to jane.doe84@gmail.com", "j…@gmail.com"],
  ["an address at a reserved domain", "Write to jane.doe@example.com", "j…@example.com ?"],
  ["a Visa card", "4539 1488 0343 6467", "4539…6467"],
  ["a card written together", "card4539148803436467".replace("card", "card "), "4539…6467"],
  ["an American Express card", "3782 822463 10005", "3782…0005"],
  ["an IBAN with spaces", "DE75 5121 0800 1245 1261 99", "DE75…6199"],
  ["a British IBAN in small letters", "gb33bukb20201555555555", "GB33…5555"],
  ["a Ukrainian IBAN", "UA21 3223 1300 0002 6007 2335 6600 1", "UA21…6001"],
  ["a Brazilian IBAN", "BR1800360305000010009795493C1", "BR18…93C1"],
  ["a National Insurance number", "JG 10 37 59 A", "JG…9A"],
  ["a Social Security number", "536-90-4399", "53…99"],
  ["an Aadhaar number", "2341 2341 2346", "2341…2346"],
  ["a British mobile", "07911 123456", "07…56"],
  ["a British mobile abroad", "+44 (0)7911 123456", "+447…3456"],
  ["a US number", "(212) 664-7665", "21…65 ?"],
  ["a spoken British mobile", "call her on oh seven nine double one, one two three four five six", "07…56"],
  [
    "a spoken card",
    "it is four five three nine one four double eight oh three four three six four six seven",
    "4539…6467",
  ],
  ["an address at a reserved domain beside a name", "Loved it! Sarah Whitfield, sarah.w@example.com", "s…@example.com"],
  ["an address beside a first name and an initial", "“Great sofa.” Sarah W. (sarah@example.org)", "s…@example.org"],
  ["a French mobile abroad", "Appelez Luc au +33 6 12 34 56 78", "+336…5678"],
  ["a German mobile after 00", "0049 151 23456789", "0049…6789"],
  ["a JCB card", "3530 1113 3330 0000", "3530…0000"],
  ["a Maestro card", "6759 6498 2643 8453", "6759…8453"],
  ["a Diners Club card", "3056 930902 5904", "3056…5904"],
  ["a Switch card", "6331 1019 9999 0016", "6331…0016"],
  ["a UnionPay card", "6250 9460 0000 0016", "6250…0016"],
  ["a date of birth on a form", "Applicant: Margaret Hathersage\nD.O.B. 14/03/1962", "…1962"],
  ["a date of birth with a name after it", "Date of birth: 14 March 1962, Leonard van der Voss", "…1962"],
  ["a date of birth the American way", "Patient: Leonard T. Voss | DOB: March 14, 1962", "…1962"],
  ["a French date of birth", "Camille Aubert, date de naissance : 2016-06-02", "…2016"],
  ["a date of birth without a name", "dob: 14.03.1962", "…1962 ?"],
  ["a birth in a sentence", "Rosalind Keane was born on 12 May 1971.", "…1971 ?"],
];
for (const [what, text, masked] of personal) {
  test(`${what} is found and masked`, () => assert.deepEqual(find(text), [masked]));
}

const harmless = [
  "4539 1488 0343 6468",
  "1234 5678 9012 3456",
  "0000 0000 0000 0000",
  "4000 0000 0000 0002 and 4000000000009995",
  "Test card 4242 4242 4242 4242",
  "DE75 5121 0800 1245 1261 98",
  "info@acme.co.uk and customer.care@acme.co.uk",
  "0800 123 4567, 1-800-555-1234, 020 7946 0958",
  "07700 900461 and +1 (415) 555-0132",
  "QQ 12 34 56 C",
  "000-12-3456 and 666-12-3456",
  "£1,000,000 on 15.11.2026 at 12:30, 5 x 19.99",
  "Date of birth: DD/MM/YYYY. Date of birth (for example 31/12/1980): ____",
  "Give your date of birth by 14 March 2026. You must be born before 1 January 2008.",
  "Born in 1931 above the shop, she was born on the stage. Born on 4 July 1976 in spirit.",
  "The patron, Sir Titus Salt, was born on 20 September 1803.",
  "Ronald Peake, born 2 May 1934, died in March aged 91.",
  "ISBN 978-0-306-40615-7, order 2026-0001-4711",
];
for (const text of harmless) test(`nothing personal in “${text}”`, () => assert.deepEqual(find(text), []));

const mobiles: [place: string, text: string][] = [
  ["IE", "087 123 4567"],
  ["AU", "0412 345 678"],
  ["NZ", "021 123 4567"],
  ["IN", "98765 43210"],
  ["DE", "0151 23456789"],
  ["FR", "06 12 34 56 78"],
  ["ES", "612 345 678"],
  ["IT", "312 345 6789"],
  ["NL", "06 12345678"],
  ["PL", "512 345 678"],
];
test("a mobile without the code of its country is found where the market is declared", () => {
  assert.deepEqual(
    mobiles.filter(([place, text]) => find(`Text Jo on ${text}.`, place).length !== 1),
    [],
  );
});

test("a company's landline, helpline and freephone number are nobody's", () => {
  const lines = ["Call us on 020 7183 8750.", "Helpline: 0808 808 00 00", "Head office +49 30 901820", "1300 975 707"];

  assert.deepEqual(
    lines.flatMap((text) => [...find(text, "UK"), ...find(text, "AU")]),
    [],
  );
});

test("a value that comes twice is one finding", () => {
  assert.equal(find("4539 1488 0343 6467 or 4539-1488-0343-6467").length, 1);
});
