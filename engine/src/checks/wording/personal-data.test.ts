import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeText } from "../../rules/self-test.ts";
import { makeSidekick } from "../../testing/sidekicks.ts";

const all = ["email", "phone", "card", "iban", "uk-nino", "us-ssn", "in-aadhaar", "birth-date"];
const sidekick = makeSidekick({ check: { kind: "personal-data", what: all } });

function find(text: string): string[] {
  const findings = judgeText(sidekick, { text, context: {}, on: "document" }, sidekick.rules);
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
  ["a National Insurance number", "JG 10 37 59 A", "JG…9A"],
  ["a Social Security number", "536-90-4399", "53…99"],
  ["an Aadhaar number", "2341 2341 2346", "2341…2346"],
  ["a British mobile", "07911 123456", "07…56"],
  ["a British mobile abroad", "+44 (0)7911 123456", "+447…3456"],
  ["a US number", "(212) 664-7665", "21…65 ?"],
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

test("a value that comes twice is one finding", () => {
  assert.equal(find("4539 1488 0343 6467 or 4539-1488-0343-6467").length, 1);
});
