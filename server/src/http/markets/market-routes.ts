import { verdicts } from "@greenlit/engine/markets/verdict.ts";
import { Type } from "typebox";
import { issueStatuses, severities } from "../../db/tables.ts";
import { readVerdicts as read } from "../../markets/read-verdicts.ts";
import { defineRoute, type Route } from "../route.ts";
import { Body, Maybe, Nullable, OneOf, Uuid } from "../schemas.ts";
import { AssetParams } from "../submissions/schemas.ts";

const Coverage = Type.Object({
  placeRules: Type.Integer({
    description: "Rules of the place that were judged, those of the EU in its member states.",
  }),
  ownRules: Type.Integer({
    description: "Of them the country's own: those that name it alone or with two others at most.",
  }),
  minimumRules: Type.Integer(),
  isSufficient: Type.Boolean({ description: "False: too few rules to call anything clear." }),
  isThin: Type.Boolean({ description: "True: the country's own codes are hardly covered." }),
});

const Verdicts = Type.Object(
  {
    submissionId: Uuid,
    assetId: Uuid,
    markets: Type.Array(
      Type.Object({
        market: Type.String({ examples: ["UK:tv"] }),
        name: Type.String(),
        verdict: OneOf(verdicts),
        conditions: Type.Array(Type.String(), { description: "What it is cleared under, like `post_watershed`." }),
        coverage: Coverage,
        unjudgedRules: Type.Array(Type.String(), {
          description: "Rules of the market that need what was not gathered when the asset was analysed.",
        }),
        findings: Type.Array(
          Type.Object({
            fingerprint: Type.String({ description: "That of the asset's issue, where it has the same." }),
            ruleCode: Type.String(),
            severity: OneOf(severities),
            summary: Type.String(),
            needsHuman: Type.Boolean(),
            isOpen: Type.Boolean({ description: "False: resolved or dismissed." }),
            status: Nullable(OneOf(issueStatuses, { description: "Null: the asset has no such issue." })),
            conditions: Type.Array(Type.String()),
          }),
        ),
      }),
    ),
    fixes: Type.Array(
      Type.Object({
        fingerprint: Type.String(),
        ruleCode: Type.String(),
        severity: OneOf(severities),
        summary: Type.String(),
        recommendation: Type.String(),
        markets: Type.Array(Type.String(), { description: "Markets that it keeps from being cleared." }),
        unlocks: Type.Array(Type.String(), { description: "Of them those where nothing else does." }),
      }),
      { description: "What to change first: the fixes that unlock most markets." },
    ),
    topics: Type.Array(
      Type.Object({
        title: Type.String(),
        severity: OneOf(severities),
        markets: Type.Array(Type.Object({ market: Type.String(), severity: OneOf(severities), count: Type.Integer() })),
      }),
      { description: "The open findings of all markets as topics, and where each is open." },
    ),
  },
  { title: "Verdicts" },
);

const readVerdicts = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/verdicts",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readVerdicts",
  tag: "Results",
  summary: "Read what each market would say about the asset",
  description:
    "Judges the kept evidence by the rules of every market at once. `blocked`: an open CRITICAL finding; `changes_needed`: an open MAJOR one; `needs_human`: a person has to decide; `not_assessed`: nothing was found, and the market has too few rules for that to mean anything; `conditional`: allowed under `conditions`; `clear_with_notes`; `clear`. The asset's issues stay those of its own context; decisions about them count here by their fingerprint.",
  params: AssetParams,
  query: Body({
    markets: Maybe(
      Type.String({
        maxLength: 2000,
        description:
          "Names of markets with commas between them, or `all`. Left out: those of the workspace (`PATCH /workspace`), which are all unless an admin chose some.",
        examples: ["UK:tv,US:online"],
      }),
    ),
    detail: Maybe(
      OneOf(["full", "summary"], {
        description: "`summary` leaves `findings` of each market empty; `full` by default.",
      }),
    ),
  }),
  responses: {
    200: {
      description: "A verdict for each market, and what to fix first.",
      schema: Verdicts,
      example: {
        submissionId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
        assetId: "019a8c3e-5f71-7b02-8f3a-6c2d1e0b9a44",
        markets: [
          {
            market: "UK:tv",
            name: "United Kingdom, television",
            verdict: "changes_needed",
            conditions: [],
            coverage: { placeRules: 64, ownRules: 64, minimumRules: 20, isSufficient: true, isThin: false },
            unjudgedRules: [],
            findings: [
              {
                fingerprint: "5d41402abc4b2a76b9719d911017c592",
                ruleCode: "XX-GREEN-ABSOLUTE",
                severity: "MAJOR",
                summary: "“100 % carbon neutral” is an absolute green claim.",
                needsHuman: false,
                isOpen: true,
                status: "OPEN",
                conditions: [],
              },
            ],
          },
        ],
        fixes: [
          {
            fingerprint: "5d41402abc4b2a76b9719d911017c592",
            ruleCode: "XX-GREEN-ABSOLUTE",
            severity: "MAJOR",
            summary: "“100 % carbon neutral” is an absolute green claim.",
            recommendation: "Say what the claim rests on.",
            markets: ["UK:tv"],
            unlocks: ["UK:tv"],
          },
        ],
        topics: [
          {
            title: "Absolute green claim",
            severity: "MAJOR",
            markets: [{ market: "UK:tv", severity: "MAJOR", count: 1 }],
          },
        ],
      },
    },
  },
  failures: ["not_found", "asset_not_finished", "asset_failed", "evidence_not_kept"],
  async handler({ app, caller, params, query }) {
    const ids = { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
    const names = query.markets?.split(",").map((name) => name.trim());
    return { status: 200, body: await read(app, ids, { names, hasFindings: query.detail !== "summary" }) };
  },
});

const listMarkets = defineRoute({
  method: "GET",
  path: "/markets",
  bucket: "submission_read",
  role: "viewer",
  operationId: "listMarkets",
  tag: "Sidekicks",
  summary: "List the markets",
  description:
    "A market is a place and a channel. `minimumRules`: with fewer rules of the place nothing is called clear.",
  responses: {
    200: {
      description: "All markets.",
      schema: Type.Object(
        {
          data: Type.Array(Type.Object({ market: Type.String(), name: Type.String(), minimumRules: Type.Integer() })),
        },
        { title: "MarketList" },
      ),
      example: { data: [{ market: "UK:tv", name: "United Kingdom, television", minimumRules: 20 }] },
    },
  },
  failures: [],
  async handler({ app }) {
    return {
      status: 200,
      body: { data: app.markets.map(({ market, name, minimumRules }) => ({ market, name, minimumRules })) },
    };
  },
});

export const marketRoutes: readonly Route[] = [listMarkets, readVerdicts];
