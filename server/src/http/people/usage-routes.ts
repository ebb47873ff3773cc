import { Type } from "typebox";
import { readUsageWeeks } from "../../workspaces/usage.ts";
import { defineRoute } from "../route.ts";

const weeks = 12;

const Week = Type.Object(
  {
    week: Type.String({ description: "Its Monday, like `2026-11-09`." }),
    assets: Type.Integer({ description: "Analysed to their end." }),
    failed: Type.Integer(),
    sizeBytes: Type.Number({ description: "Of all of them." }),
    minutes: Type.Number({ description: "Of film and sound, where renditions are made; one decimal." }),
    credits: Type.Integer({ description: "Taken. 0 where the workspace is not metered." }),
  },
  { title: "UsageWeek" },
);

export const readUsage = defineRoute({
  method: "GET",
  path: "/usage",
  bucket: "console",
  role: "viewer",
  auth: "person",
  tag: "People",
  operationId: "readUsage",
  summary: "Read what was analysed, week by week",
  description:
    "The last twelve weeks of the workspace in live mode, the oldest first. Weeks begin on Monday, UTC. What was deleted since stays counted.",
  responses: {
    200: {
      description: "The weeks.",
      schema: Type.Object({ data: Type.Array(Week) }, { title: "Usage" }),
      example: {
        data: [{ week: "2026-11-09", assets: 42, failed: 1, sizeBytes: 1_234_567_890, minutes: 38.5, credits: 61 }],
      },
    },
  },
  failures: [],
  async handler({ app, caller }) {
    const { workspaceId } = caller;
    return { status: 200, body: { data: await readUsageWeeks(app.db, { workspaceId, weeks, now: app.now() }) } };
  },
});
