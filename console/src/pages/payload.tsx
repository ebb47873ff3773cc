import type { WebhookDelivery } from "@greenlit/sdk/src/generated.ts";
import { greenlit } from "../api/client.ts";
import { Copy } from "../ui/copy.tsx";
import { States, useLoad } from "../ui/load.tsx";

/** What was sent, laid out to be read. Copied, it is byte for byte what was signed. */
export function Payload({ delivery: { subscriptionId, deliveryId } }: { delivery: WebhookDelivery }) {
  const sent = useLoad(
    () =>
      greenlit.call("readWebhookDelivery", { params: { subscription_id: subscriptionId, delivery_id: deliveryId } }),
    [deliveryId],
  );
  return (
    <States of={sent}>
      {({ payload }) => (
        <>
          <div class="row between">
            <h3>Payload</h3>
            <Copy text={payload} label="Copy as sent" />
          </div>
          <pre class="code">{JSON.stringify(JSON.parse(payload), null, 2)}</pre>
        </>
      )}
    </States>
  );
}
