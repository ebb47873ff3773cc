import assert from "node:assert/strict";
import { test } from "node:test";
import { makeSidekick } from "../testing/sidekicks.ts";
import type { Context, Rule } from "../sidekick.ts";
import { applicabilityIn } from "./context.ts";

function applies(rule: Partial<Rule>, context: Context): "no" | string[] {
  const [made] = makeSidekick({ check: { kind: "phrase" }, ...rule }).rules;
  assert.ok(made);
  const answer = applicabilityIn(context, "2026-11-01")(made);
  return answer.applies ? answer.undeclared : "no";
}

const cases: [what: string, rule: Partial<Rule>, context: Context, answer: "no" | string[]][] = [
  ["a rule without conditions always applies", {}, {}, []],
  ["a place that is not declared is open", { jurisdictions: ["UK"] }, {}, ["jurisdiction"]],
  ["another place is not concerned", { jurisdictions: ["UK"] }, { jurisdictions: ["US"] }, "no"],
  ["a member state is within the EU", { jurisdictions: ["EU"] }, { jurisdictions: ["de"] }, []],
  ["the EU as a whole is not one of its states", { jurisdictions: ["DE"] }, { jurisdictions: ["EU"] }, "no"],
  [
    "a rule of the world is declared in a country without rules of its own",
    { jurisdictions: ["UK", "EU", "US", "AU", "CA", "NZ", "IN"] },
    { jurisdictions: ["sg"] },
    [],
  ],
  ["a rule of one place is open there", { jurisdictions: ["UK"] }, { jurisdictions: ["SG"] }, ["jurisdiction"]],
  ["GB is the UK", { jurisdictions: ["UK"] }, { jurisdictions: ["GB"] }, []],
  [
    "a place that nobody knows counts as not declared",
    { jurisdictions: ["UK"] },
    { jurisdictions: ["Mars"] },
    ["jurisdiction"],
  ],
  ["another name of a sector is the sector", { sectors: ["gambling"] }, { sector: "Betting" }, []],
  ["finance covers banks and loans", { sectors: ["credit"] }, { sector: "finance" }, []],
  ["financial services cover coins", { sectors: ["crypto"] }, { sector: "Financial services" }, []],
  ["a bank may advertise a loan", { sectors: ["credit"] }, { sector: "banking" }, []],
  ["a bank sells no beer", { sectors: ["alcohol"] }, { sector: "banking" }, "no"],
  ["a maker of drinks may sell beer", { sectors: ["alcohol"] }, { sector: "drinks" }, []],
  ["a less healthy food is a food", { sectors: ["food"] }, { sector: "HFSS" }, []],
  ["a food is not a less healthy one by itself", { sectors: ["hfss"] }, { sector: "food" }, "no"],
  ["a sector that nobody knows counts as not declared", { sectors: ["food"] }, { sector: "astrology" }, ["sector"]],
  ["instagram is social", { channels: ["social"] }, { channel: "Instagram" }, []],
  ["kids are children", { audiences: ["children"] }, { audience: "kids" }, []],
  [
    "British television is in Britain and on television",
    { jurisdictions: ["UK"], channels: ["tv"] },
    { destination: "uk_tv" },
    [],
  ],
  [
    "what is declared wins over what a destination implies",
    { jurisdictions: ["UK"] },
    { destination: "uk_tv", jurisdictions: ["IE"] },
    "no",
  ],
  [
    "television in Britain goes to British television",
    { destinations: ["uk_tv"] },
    { jurisdictions: ["UK"], channel: "television" },
    [],
  ],
  [
    "television in two places goes to both",
    { destinations: ["us_tv"] },
    { jurisdictions: ["DE", "US"], channel: "tv" },
    [],
  ],
  [
    "television in Britain does not go to the American one",
    { destinations: ["us_tv"] },
    { jurisdictions: ["UK"], channel: "tv" },
    "no",
  ],
  [
    "a destination that is declared wins over what place and channel imply",
    { destinations: ["uk_tv"] },
    { jurisdictions: ["UK"], channel: "tv", destination: "netflix" },
    "no",
  ],
  [
    "what is online in Britain goes nowhere in particular",
    { destinations: ["uk_tv"] },
    { jurisdictions: ["UK"], channel: "online" },
    ["destination"],
  ],
  ["EBU R128 is the EBU", { destinations: ["ebu"] }, { destination: "EBU R128" }, []],
  ["a rule that starts later does not apply yet", { from: "2026-12-01" }, {}, "no"],
];
for (const [what, rule, context, answer] of cases) {
  test(what, () => assert.deepEqual(applies(rule, context), answer));
}
