import { Type } from "typebox";
import { severities } from "../../db/tables.ts";
import { readUpcoming as read } from "../../rejudge/read-upcoming.ts";
import { defineRoute } from "../route.ts";
import { Nullable, OneOf, Uuid } from "../schemas.ts";

const UpcomingRules = Type.Object(
  {
    today: Type.String({ format: "date" }),
    data: Type.Array(
      Type.Object({
        ruleCode: Type.String(),
        summary: Type.String(),
        severity: OneOf(severities),
        from: Type.String({ format: "date", description: "The first day on which the rule applies." }),
        sidekickId: Uuid,
        citation: Nullable(Type.Object({ clause: Type.String(), url: Type.String() })),
        assetCount: Type.Integer({ description: "Assets that will break it." }),
        assets: Type.Array(
          Type.Object({
            submissionId: Uuid,
            assetId: Uuid,
            filename: Type.String(),
            severity: OneOf(severities),
            summary: Type.String(),
          }),
          { description: "The newest hundred of them." },
        ),
      }),
    ),
    assetCount: Type.Integer({ description: "Complete assets of the workspace, counted up to 10,000." }),
    judgedCount: Type.Integer({
      description:
        "Those that were judged: the newest 2,000 of which evidence is kept. About the others nothing is said.",
    }),
  },
  { title: "UpcomingRules" },
);

export const readUpcoming = defineRoute({
  method: "GET",
  path: "/upcoming",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readUpcoming",
  tag: "Results",
  summary: "List rules that come into force later, and the assets that will break them",
  description: "Judges the kept evidence of the workspace's assets as on the day on which each rule begins.",
  responses: {
    200: {
      description: "The rules, the next one first.",
      schema: UpcomingRules,
      example: {
        today: "2026-11-15",
        data: [
          {
            ruleCode: "EU-GREEN-GENERIC",
            summary: "Generic environmental claims without recognised performance",
            severity: "MAJOR",
            from: "2026-12-27",
            sidekickId: "6b1f2a7e-93c4-4d0f-8a55-2f0c7d1e3b12",
            citation: null,
            assetCount: 1,
            assets: [
              {
                submissionId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
                assetId: "019a8c3e-5f71-7b02-8f3a-6c2d1e0b9a44",
                filename: "spring-ad.mp4",
                severity: "MAJOR",
                summary: "“Eco-friendly” is a generic claim.",
              },
            ],
          },
        ],
        assetCount: 2140,
        judgedCount: 2000,
      },
    },
  },
  failures: [],
  async handler({ app, caller }) {
    return { status: 200, body: await read(app, { caller }) };
  },
});
