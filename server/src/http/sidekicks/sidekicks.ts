import { Type } from "typebox";
import { findSidekick } from "../../submissions/creating/sidekicks.ts";
import { Page, pageOf, pageQuery } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body, Nullable, Uuid } from "../schemas.ts";
import { Severity } from "../submissions/schemas.ts";

/** All of them, unless an operator has loaded hundreds. */
const usual = 500;

const Sidekick = Type.Object(
  {
    sidekickId: Type.String({ format: "uuid", description: "Never changes." }),
    name: Type.String(),
    description: Type.String(),
    jurisdictions: Type.Array(Type.String(), { description: "Empty: everywhere." }),
    mediaKinds: Type.Array(Type.String()),
    packVersion: Type.String(),
    ruleCount: Type.Integer(),
    isDefault: Type.Boolean({ description: "Runs when a submission names no sidekicks." }),
  },
  { title: "Sidekick" },
);

const sidekickExample = {
  sidekickId: "0f4c1f0e-6a3b-4c62-9d5e-1b7f0a2c9e07",
  name: "Alcohol",
  description: "Advertising of alcoholic drinks.",
  jurisdictions: ["UK"],
  mediaKinds: ["video", "audio", "image", "document"],
  packVersion: "1.0.0",
  ruleCount: 1,
  isDefault: true,
};

export const listSidekicks = defineRoute({
  method: "GET",
  path: "/sidekicks",
  bucket: "submission_read",
  role: "viewer",
  operationId: "listSidekicks",
  tag: "Sidekicks",
  summary: "List the sidekicks",
  description: "Choose some of them with `sidekickIds` when creating a submission.",
  query: Body(pageQuery({ most: 500, usual })),
  responses: {
    200: {
      description: "A page of sidekicks.",
      schema: Page(Sidekick, "SidekickPage"),
      example: { data: [sidekickExample], hasMore: false, nextCursor: null },
    },
  },
  failures: [],
  async handler({ app, query }) {
    const data = app.sidekicks.map(
      ({ sidekickId, name, description, jurisdictions, mediaKinds, packVersion, rules, isDefault }) => ({
        sidekickId,
        name,
        description,
        jurisdictions: [...jurisdictions],
        mediaKinds: [...mediaKinds],
        packVersion,
        ruleCount: rules.length,
        isDefault,
      }),
    );
    return { status: 200, body: pageOf(data, query, { usual }) };
  },
});

const Rule = Type.Object(
  {
    code: Type.String({ description: "The `ruleCode` of its issues." }),
    summary: Type.String(),
    severity: Severity,
    why: Type.String(),
    fix: Type.String(),
    citation: Type.Unsafe<{ clause: string; url: string } | null>({
      type: ["object", "null"],
      properties: { clause: { type: "string" }, url: { type: "string" } },
    }),
    jurisdictions: Type.Array(Type.String(), { description: "Empty: everywhere." }),
    sectors: Type.Array(Type.String(), { description: "Empty: any. Likewise channels, audiences and destinations." }),
    channels: Type.Array(Type.String()),
    audiences: Type.Array(Type.String()),
    destinations: Type.Array(Type.String()),
    from: Nullable(Type.String({ description: "The first day on which it applies, like `2026-09-27`." })),
    whenUndeclared: Type.Union(
      [Type.Literal("lower"), Type.Literal("info"), Type.Literal("ask"), Type.Literal("quiet")],
      {
        description:
          "What becomes of a finding where the context that the rule depends on is not declared: one severity lower, INFO, AWAITING_HUMAN_INPUT, or nothing (`quiet`, where the jurisdiction or the destination is open).",
      },
    ),
    needsHuman: Type.Boolean({ description: "Every finding is for a person to decide." }),
    checkKind: Type.String({ description: "How it is judged." }),
    precedents: Type.Array(
      Type.Object({ url: Type.String(), title: Type.String(), decision: Type.String(), date: Type.String() }),
    ),
  },
  { title: "Rule" },
);

const ruleExample = {
  code: "US-ALC-HEALTH",
  summary: "A health claim for an alcoholic drink",
  severity: "MAJOR",
  why: "US alcohol ads may not make health-related statements that are false or that suggest a benefit of drinking.",
  fix: "Remove the health benefit.",
  citation: {
    clause: "27 CFR parts 4, 5 and 7 (health-related statements)",
    url: "https://www.ecfr.gov/current/title-27/chapter-I/subchapter-A/part-4",
  },
  jurisdictions: ["US"],
  sectors: ["alcohol"],
  channels: [],
  audiences: [],
  destinations: [],
  from: null,
  whenUndeclared: "info",
  needsHuman: false,
  checkKind: "concept",
  precedents: [],
};

export const listRules = defineRoute({
  method: "GET",
  path: "/sidekicks/:sidekick_id/rules",
  bucket: "submission_read",
  role: "viewer",
  operationId: "listRules",
  tag: "Sidekicks",
  summary: "List the rules of a sidekick",
  description: "What it looks for, how severe that is and why, and what to do about it.",
  params: Type.Object({ sidekick_id: Uuid }),
  query: Body(pageQuery({ most: 500, usual })),
  responses: {
    200: {
      description: "A page of rules.",
      schema: Type.Object({ sidekickId: Uuid, ...Page(Rule, "").properties }, { title: "RulePage" }),
      example: { sidekickId: sidekickExample.sidekickId, data: [ruleExample], hasMore: false, nextCursor: null },
    },
  },
  failures: ["not_found"],
  async handler({ app, params, query }) {
    const { sidekickId, rules } = findSidekick(app, params.sidekick_id);
    const data = rules.map(({ check, precedents, version: _version, ...rule }) => ({
      ...rule,
      jurisdictions: [...rule.jurisdictions],
      sectors: [...rule.sectors],
      channels: [...rule.channels],
      audiences: [...rule.audiences],
      destinations: [...rule.destinations],
      checkKind: check.kind,
      precedents: precedents.map(({ url, title, decision, date }) => ({ url, title, decision, date })),
    }));
    return { status: 200, body: { sidekickId, ...pageOf(data, query, { usual }) } };
  },
});
