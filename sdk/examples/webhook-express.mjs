// app.post("/webhooks/greenlit", express.raw({ type: "application/json" }), receiveWebhook)
// express.raw keeps the body as it was received: parsed and printed again, it would not fit its signature.
import { unwrapWebhook, WebhookVerificationError } from "@greenlit/sdk";

export async function receiveWebhook(request, response, next) {
  try {
    const event = await unwrapWebhook({
      body: request.body,
      headers: request.headers,
      secret: process.env.GREENLIT_WEBHOOK_SECRET,
    });
    console.log(event.type, event.data.filename);
    response.statusCode = 204;
    response.end();
  } catch (error) {
    if (error instanceof WebhookVerificationError) {
      response.statusCode = 400;
      response.end(error.message);
    } else next(error);
  }
}
