// const app = Fastify(); app.register(receiveWebhooks); await app.listen({ port: 3000 });
import { unwrapWebhook, WebhookVerificationError } from "@greenlit/sdk";

export async function receiveWebhooks(app) {
  // As bytes: parsed and printed again, the body would not fit its signature.
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body));

  app.post("/webhooks/greenlit", async (request, reply) => {
    try {
      const { body, headers } = request;
      const event = await unwrapWebhook({ body, headers, secret: process.env.GREENLIT_WEBHOOK_SECRET });
      request.log.info({ filename: event.data.filename }, event.type);
      return reply.code(204).send();
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply.code(400).send(error.message);
    }
  });
}
