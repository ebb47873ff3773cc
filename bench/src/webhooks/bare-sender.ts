import { newWebhookSecret, signatureHeaders } from "@greenlit/server/webhooks/sending/signature.ts";
import { Agent, request } from "undici";
import { allAtOnce } from "../at-once.ts";
import { servePart } from "../part.ts";
import { eventBody } from "./event-body.ts";

export type BareSender = {
  argument: null;
  ready: null;
  commands: {
    /** Gives the seconds it took. */
    send(options: { url: string; count: number; atOnce: number }): Promise<number>;
  };
};

/** The limit of delivering: signed POSTs by undici, and nothing else. */
servePart<BareSender>(async (_argument, stack) => {
  const agent = new Agent();
  stack.defer(() => agent.destroy());
  const secrets = [newWebhookSecret()];
  return {
    ready: null,
    commands: {
      async send({ url, count, atOnce }) {
        const startedAt = performance.now();
        await allAtOnce(Array(count).keys(), atOnce, async (number) => {
          const signed = signatureHeaders({ eventId: String(number), sentAt: new Date(), body: eventBody, secrets });
          const answer = await request(url, {
            method: "POST",
            dispatcher: agent,
            headers: { ...signed, "content-type": "application/json" },
            body: eventBody,
          });
          await answer.body.dump();
        });
        return (performance.now() - startedAt) / 1000;
      },
    },
  };
});
