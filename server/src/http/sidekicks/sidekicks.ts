import { Type } from "typebox";
import { findSidekick, listSidekicks as list } from "../../submissions/sidekicks.ts";
import { defineRoute } from "../route.ts";
import { Uuid } from "../schemas.ts";
import { Severity } from "../submissions/schemas.ts";

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

export const listSidekicks = defineRoute({
  method: "GET",
  path: "/sidekicks",
  bucket: "submission_read",
  operationId: "listSidekicks",
  tag: "Sidekicks",
  summary: "List the sidekicks",
  description: "Choose some of them with `sidekickIds` when creating a submission.",
  responses: {
    200: { description: "All sidekicks.", schema: Type.Object({ data: Type.Array(Sidekick) }, { title: "Sidekicks" }) },
  },
  failures: [],
  async handler() {
    const data = list().map(
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
    return { status: 200, body: { data } };
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
  },
  { title: "Rule" },
);

export const listRules = defineRoute({
  method: "GET",
  path: "/sidekicks/:sidekick_id/rules",
  bucket: "submission_read",
  operationId: "listRules",
  tag: "Sidekicks",
  summary: "List the rules of a sidekick",
  description: "What it looks for, how severe that is and why, and what to do about it.",
  params: Type.Object({ sidekick_id: Uuid }),
  responses: {
    200: {
      description: "The rules.",
      schema: Type.Object({ sidekickId: Uuid, data: Type.Array(Rule) }, { title: "Rules" }),
    },
  },
  failures: ["not_found"],
  async handler({ params }) {
    const { sidekickId, rules } = findSidekick(params.sidekick_id);
    return { status: 200, body: { sidekickId, data: rules.slice() } };
  },
});
