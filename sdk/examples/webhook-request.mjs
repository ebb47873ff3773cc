// For frameworks whose handlers get a Request and give a Response: Next.js, Hono, Deno, Bun, workers.
import { unwrapWebhook, WebhookVerificationError } from "@greenlit/sdk";

export async function POST(request) {
  try {
    const event = await unwrapWebhook({
      body: await request.text(),
      headers: request.headers,
      secret: process.env.GREENLIT_WEBHOOK_SECRET,
    });
    console.log(event.type, event.data.filename);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.message, { status: 400 });
  }
}
