import { Type } from "typebox";
import { eventTypes } from "../../db/tables.ts";
import { defaultErrorMessage, fireEvents as fire } from "../../submissions/running/fire-events.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, OneOf, Uuid } from "../schemas.ts";

export const fireEvents = defineRoute({
  method: "POST",
  path: "/sandbox/events/fire",
  bucket: "sandbox",
  role: "reviewer",
  operationId: "fireSandboxEvents",
  tag: "Sandbox",
  summary: "Fire made-up webhook events",
  description:
    "Sends one event for each asset of the submission to every active subscription to its type, in the same way as real events, with `livemode: false`. Nothing is analysed, no state changes and nothing costs credits.",
  sandboxOnly: "route",
  body: Body(
    {
      eventType: OneOf(eventTypes),
      submissionId: Uuid,
      errorMessage: Maybe(
        Type.String({
          maxLength: 1000,
          default: defaultErrorMessage,
          description: "Used only for asset.processing.failed.",
        }),
      ),
    },
    { title: "FireEvents" },
  ),
  bodyExample: {
    eventType: "asset.processing.failed",
    submissionId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
    errorMessage: "Simulated outage",
  },
  responses: {
    200: {
      description: "How many subscriptions were notified, across all assets.",
      schema: Type.Object({ dispatched: Type.Integer() }, { title: "Fired" }),
      example: { dispatched: 2 },
    },
  },
  failures: ["sandbox_key_required", "not_found"],
  async handler({ app, caller, body }) {
    const { eventType, submissionId, errorMessage } = body;
    const fired = await fire(app, {
      workspaceId: caller.workspaceId,
      submissionId,
      eventType,
      errorMessage: errorMessage ?? undefined,
    });
    return { status: 200, body: fired };
  },
});
