import { readFileSync } from "node:fs";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { ConfigError } from "../config.ts";

export const buckets = [
  "upload",
  "submission_write",
  "submission_read",
  "webhook_write",
  "webhook_read",
  "sandbox",
] as const;

/** What plans limit. */
export type PlanBucket = (typeof buckets)[number];

/** `console` is for people who manage their workspace: in every plan, and limited the same in all of them. */
export type Bucket = PlanBucket | "console";

export const consoleRequestsPerMinute = 600;

/** Requests a minute for each bucket. 0: the plan does not include it. Null: no limit. */
export type Plan = Record<PlanBucket, number | null>;

export type Plans = ReadonlyMap<string, Plan>;

const builtIn: Record<string, Plan> = {
  free: plan(0, 0, 0, 0, 0, 0),
  starter: plan(30, 30, 120, 20, 60, 30),
  growth: plan(120, 120, 600, 60, 120, 60),
  scale: plan(600, 600, 3000, 120, 300, 60),
  local: plan(null, null, null, null, null, null),
};

function plan(...limits: [Limit, Limit, Limit, Limit, Limit, Limit]): Plan {
  return Object.fromEntries(buckets.map((bucket, index) => [bucket, limits[index]])) as Plan;
}

type Limit = number | null;

const LimitSchema = Type.Unsafe<Limit>({ type: ["integer", "null"], minimum: 0, maximum: 100_000_000 });
const PlansFile = Type.Record(
  Type.String({ pattern: "^[a-z0-9][a-z0-9_-]{0,31}$" }),
  Type.Partial(Type.Object(Object.fromEntries(buckets.map((bucket) => [bucket, LimitSchema]))), {
    additionalProperties: false,
  }),
  { additionalProperties: false },
);

/** The built-in plans, with those of the operator's file laid over them bucket by bucket. A new plan starts from all zeros. */
export function loadPlans(file: string | undefined): Plans {
  const overrides = file === undefined ? {} : readPlansFile(file);
  const names = [...new Set([...Object.keys(builtIn), ...Object.keys(overrides)])];
  return new Map(names.map((name) => [name, { ...(builtIn[name] ?? plan(0, 0, 0, 0, 0, 0)), ...overrides[name] }]));
}

function readPlansFile(file: string): Record<string, Partial<Plan>> {
  const example = `It must be JSON like {"scale": {"submission_read": 6000}}, with null for no limit.`;
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigError(`GREENLIT_PLANS_FILE is "${file}", which cannot be read: ${String(error)}. ${example}`);
  }
  const schema = Compile(PlansFile);
  if (schema.Check(parsed)) return parsed;
  const { instancePath, message } = schema.Errors(parsed)[0] ?? { instancePath: "", message: "is not valid" };
  throw new ConfigError(
    `GREENLIT_PLANS_FILE is "${file}", where ${instancePath || "the whole"} ${message}. ${example}`,
  );
}
