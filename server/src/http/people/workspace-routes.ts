import { Type } from "typebox";
import type { Context } from "@greenlit/engine/sidekick.ts";
import { Failure, OperatorError } from "../../failure.ts";
import { chooseMarkets } from "../../markets/choose-markets.ts";
import { defaultReviewRules } from "../../review/rules.ts";
import { findWorkspace, setDefaults, type Workspace as Row } from "../../workspaces/manage-workspaces.ts";
import { defineRoute } from "../route.ts";
import { Body, Nullable, Timestamp } from "../schemas.ts";

const base = { bucket: "console", auth: "person", tag: "People" } as const;

const ReviewRules = Type.Object(
  {
    uploaderMayNotApprove: Type.Boolean({
      description: "The person who submitted an asset, by themselves or by a key that they made, may not approve it.",
    }),
    secondPersonForCritical: Type.Boolean({
      description: "A CRITICAL issue is dismissed only once a second person, an approver, agrees.",
    }),
    openCriticalBlocksApproval: Type.Boolean({
      description: "No approval while a CRITICAL issue is neither resolved nor dismissed.",
    }),
    keyMayNotApprove: Type.Boolean({ description: "An approval needs a person; an API key alone may not." }),
  },
  { title: "ReviewRules", additionalProperties: false },
);

const Name = Type.String({ minLength: 1, maxLength: 200 });

const ContextSchema = Type.Unsafe<Context | null>(
  Nullable(
    Body(
      {
        jurisdictions: Type.Optional(Type.Array(Name, { maxItems: 50 })),
        sector: Type.Optional(Name),
        channel: Type.Optional(Name),
        audience: Type.Optional(Name),
        destination: Type.Optional(Name),
        brand: Type.Optional(Name),
        product: Type.Optional(Name),
      },
      { description: "Default context of the rules, where a submission declares none." },
    ),
  ),
);

const SidekickIds = Type.Unsafe<string[] | null>({
  type: ["array", "null"],
  items: { type: "string", format: "uuid" },
  maxItems: 50,
  description: "The sidekicks of submissions that name none. Null: the common default.",
});

const Markets = Type.Unsafe<string[] | null>({
  type: ["array", "null"],
  items: { type: "string", maxLength: 40 },
  minItems: 1,
  maxItems: 200,
  uniqueItems: true,
  description: "The markets that verdicts are given for where none are named. Null: all of them.",
});

const Workspace = Type.Object(
  {
    workspaceId: Type.String(),
    name: Type.String(),
    plan: Type.String(),
    creditBalance: Nullable(Type.Integer({ description: "Null: not metered." })),
    defaultSidekickIds: SidekickIds,
    defaultContext: ContextSchema,
    reviewRules: ReviewRules,
    markets: Markets,
    createdAt: Timestamp,
  },
  { title: "Workspace" },
);

const example = {
  workspaceId: "ws_k3v5x2m7q4a6b2c3",
  name: "acme",
  plan: "growth",
  creditBalance: null,
  defaultSidekickIds: null,
  defaultContext: { jurisdictions: ["UK"], sector: "alcohol" },
  reviewRules: defaultReviewRules,
  markets: ["UK:tv", "IE:tv"],
  createdAt: "2026-11-15T09:30:00.000Z",
};

function workspaceOf({ createdAt, reviewRules, ...row }: Row) {
  const { workspaceId, name, plan, creditBalance, defaultSidekickIds, defaultContext, markets } = row;
  return {
    workspaceId,
    name,
    plan,
    creditBalance,
    defaultSidekickIds,
    defaultContext,
    reviewRules: { ...defaultReviewRules, ...reviewRules },
    markets,
    createdAt: createdAt.toISOString(),
  };
}

export const readWorkspace = defineRoute({
  ...base,
  method: "GET",
  path: "/workspace",
  role: "viewer",
  operationId: "readWorkspace",
  summary: "Read the workspace and its defaults",
  description:
    "Its plan, what submissions get that do not say it themselves, its markets, and the rules of its reviews.",
  responses: { 200: { description: "The workspace.", schema: Workspace, example } },
  failures: [],
  async handler({ app, caller }) {
    return { status: 200, body: workspaceOf(await findWorkspace(app.db, caller.workspaceId)) };
  },
});

export const changeWorkspace = defineRoute({
  ...base,
  method: "PATCH",
  path: "/workspace",
  role: "admin",
  operationId: "changeWorkspace",
  summary: "Change the defaults, the markets and the review rules of the workspace",
  description: "What is left out stays. Running processes follow within 5 seconds.",
  body: Body(
    {
      defaultSidekickIds: Type.Optional(SidekickIds),
      defaultContext: Type.Optional(ContextSchema),
      reviewRules: Type.Optional(
        Type.Partial(ReviewRules, { title: "ReviewRulesChange", additionalProperties: false }),
      ),
      markets: Type.Optional(Markets),
    },
    { title: "WorkspaceChange" },
  ),
  bodyExample: { reviewRules: { secondPersonForCritical: true } },
  responses: { 200: { description: "Changed.", schema: Workspace, example } },
  failures: [],
  async handler({ app, caller, body }) {
    const { defaultSidekickIds: sidekickIds, defaultContext: context, reviewRules } = body;
    const { workspaceId: workspace, actor } = caller;
    const markets = body.markets && chooseMarkets(app.markets, body.markets).map(({ market }) => market);
    try {
      const changed = await setDefaults(app, { workspace, sidekickIds, context, reviewRules, markets, actor });
      return { status: 200, body: workspaceOf(changed) };
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      throw new Failure(
        "invalid_request",
        "One of defaultSidekickIds is no sidekick here. GET /sidekicks lists them.",
        {
          details: [{ path: "defaultSidekickIds", message: "names a sidekick that does not exist" }],
          cause: error,
        },
      );
    }
  },
});
