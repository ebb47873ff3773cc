import { Type } from "typebox";
import { buckets } from "../../workspaces/plans.ts";
import { readUsed } from "../../workspaces/rate-limit.ts";
import { defineRoute } from "../route.ts";
import { Nullable, OneOf } from "../schemas.ts";

const Limits = Type.Object(
  {
    workspaceId: Type.String({ description: "The workspace of this key." }),
    plan: Type.String({ description: "The plan of the workspace." }),
    mode: OneOf(["live", "sandbox"], { description: "The kind of this key." }),
    windowSeconds: Type.Integer({ description: "Limits hold over a sliding window of this length." }),
    buckets: Type.Array(
      Type.Object({
        bucket: OneOf(buckets),
        requestsPerMinute: Nullable(Type.Integer({ description: "Null: no limit. 0: not in the plan." })),
        remaining: Nullable(Type.Integer({ description: "Requests left right now. Null: no limit." })),
      }),
    ),
  },
  { title: "Limits" },
);

export const readLimits = defineRoute({
  method: "GET",
  path: "/limits",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readLimits",
  tag: "Account",
  summary: "Read the limits of this key",
  description:
    "The plan, the limit of each bucket and what is left of it. Answers never carry X-RateLimit headers, so this is where to look before a large batch.",
  responses: {
    200: {
      description: "The limits of this key.",
      schema: Limits,
      example: {
        workspaceId: "ws_k3v5x2m7q4a6b2c3",
        plan: "starter",
        mode: "live",
        windowSeconds: 60,
        buckets: [{ bucket: "upload", requestsPerMinute: 30, remaining: 29 }],
      },
    },
  },
  failures: [],
  async handler({ app, caller }) {
    const plan = app.plans.get(caller.plan);
    await app.rateLimiter.settle();
    const used = await readUsed({ pool: app.pool, keyId: caller.actor.id, now: app.rateClock });
    return {
      status: 200,
      body: {
        workspaceId: caller.workspaceId,
        plan: caller.plan,
        mode: caller.mode,
        windowSeconds: 60,
        buckets: buckets.map((bucket) => {
          const limit = plan ? plan[bucket] : 0;
          return {
            bucket,
            requestsPerMinute: limit,
            remaining: limit === null ? null : Math.max(0, limit - (used.get(bucket) ?? 0)),
          };
        }),
      },
    };
  },
});
