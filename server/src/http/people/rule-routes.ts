import { builtInPacksFolder, loadPacks, type Example } from "@greenlit/engine/rules/load-packs.ts";
import { judgeWithAll } from "@greenlit/engine/rules/self-test.ts";
import { Type } from "typebox";
import type { App } from "../../app.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, Nullable, OneOf } from "../schemas.ts";
import { Severity } from "../submissions/schemas.ts";

const base = { bucket: "console", role: "viewer", auth: "person", tag: "People" } as const;

const RuleExamples = Type.Object(
  {
    code: Type.String(),
    fails: Type.Array(Type.String(), { description: "Texts that the rule finds something in." }),
    passes: Type.Array(Type.String(), { description: "Texts that it leaves alone." }),
  },
  { title: "RuleExamples" },
);

type Examples = { code: string; fails: string[]; passes: string[] };
const loaded = new WeakMap<App, Promise<Examples[]>>();

/** Read from the packs when somebody asks: the service itself never needs them. */
function examplesOf(app: App): Promise<Examples[]> {
  const folders = [builtInPacksFolder, ...(app.config.packsDir ? [app.config.packsDir] : [])];
  const textOf = (example: Example) => (typeof example === "string" ? example : example.text);
  const reading =
    loaded.get(app) ??
    loadPacks(folders).then((packs) =>
      packs.flatMap(({ sources }) =>
        sources.map(({ rule, fails, passes }) => ({
          code: rule.code,
          fails: fails.slice(0, 3).map(textOf),
          passes: passes.slice(0, 3).map(textOf),
        })),
      ),
    );
  loaded.set(app, reading);
  reading.catch(() => loaded.delete(app));
  return reading;
}

export const listRuleExamples = defineRoute({
  ...base,
  method: "GET",
  path: "/rule-examples",
  operationId: "listRuleExamples",
  summary: "List examples of the rules",
  description: "At most three texts that a rule finds something in, and three that it leaves alone.",
  responses: {
    200: {
      description: "The examples, by the code of their rule.",
      schema: Type.Object({ data: Type.Array(RuleExamples) }, { title: "RuleExampleList" }),
      example: {
        data: [
          {
            code: "US-ALC-HEALTH",
            fails: ["Bourbon: good for your heart, great for your soul."],
            passes: ["Zinfandel from old vines. Vine & Co., Napa, California."],
          },
        ],
      },
    },
  },
  failures: [],
  async handler({ app }) {
    return { status: 200, body: { data: await examplesOf(app) } };
  },
});

const Name = Type.String({ maxLength: 60 });

export const tryText = defineRoute({
  ...base,
  method: "POST",
  path: "/rules/try",
  operationId: "tryText",
  summary: "Try a text against all rules",
  description:
    "What the rules for words find in a text, as if it was written, shown or said. Nothing is stored. Findings that need a picture or a sound are not among them.",
  body: Body(
    {
      text: Type.String({ minLength: 1, maxLength: 5000 }),
      on: Maybe(OneOf(["document", "screen", "speech"], { description: "Where it is. Left out: written." })),
      jurisdictions: Type.Optional(Type.Array(Name, { maxItems: 40 })),
      sector: Maybe(Name),
      channel: Maybe(Name),
      audience: Maybe(Name),
    },
    { title: "TextTrial" },
  ),
  bodyExample: { text: "Our red is good for your heart.", jurisdictions: ["UK"], sector: "alcohol" },
  responses: {
    200: {
      description: "What was found, the gravest first.",
      schema: Type.Object(
        {
          findings: Type.Array(
            Type.Object({
              ruleCode: Type.String(),
              summary: Type.String(),
              severity: Severity,
              sidekickName: Type.String(),
              recommendation: Type.String(),
              quote: Nullable(Type.String()),
            }),
          ),
        },
        { title: "TextTrialResult" },
      ),
      example: {
        findings: [
          {
            ruleCode: "US-ALC-HEALTH",
            summary: "“good for your heart” is a health claim for an alcoholic drink.",
            severity: "MAJOR",
            sidekickName: "Alcohol",
            recommendation: "Remove the health benefit.",
            quote: "good for your heart",
          },
        ],
      },
    },
  },
  failures: [],
  async handler({ app, body }) {
    const { text, on, jurisdictions, sector, channel, audience } = body;
    const context = {
      ...(jurisdictions && { jurisdictions }),
      ...(sector && { sector }),
      ...(channel && { channel }),
      ...(audience && { audience }),
    };
    const found = judgeWithAll(app.sidekicks, { text, on: on ?? "document", context });
    const findings = found
      .map(({ ruleCode, summary, severity, sidekickName, recommendation, location }) => ({
        ruleCode,
        summary,
        severity,
        sidekickName,
        recommendation,
        quote: location?.quote ?? null,
      }))
      .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
    return { status: 200, body: { findings } };
  },
});

const order = ["CRITICAL", "MAJOR", "MINOR", "INFO"];
