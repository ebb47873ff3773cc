import { useSignal } from "@preact/signals";
import type { WebhookDelivery } from "@greenlit/sdk/src/generated.ts";
import { greenlit } from "../api/client.ts";
import { ago, date, words } from "../ui/format.ts";
import { States, useLoad } from "../ui/load.tsx";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Once } from "../ui/once.tsx";
import { Page } from "../ui/page.tsx";
import { navigate } from "../ui/router.tsx";
import { attempt, toast } from "../ui/toast.tsx";
import { Payload } from "./payload.tsx";
import { SignatureHelper } from "./signature-helper.tsx";

const dayMs = 24 * 60 * 60 * 1000;

/** One endpoint: what was sent to it, what it answered, and everything to put it right. */
export function WebhookPage({ params: [id = ""] }: { params: string[] }) {
  const endpoint = useLoad(() => greenlit.webhooks.get(id), [id]);
  const deliveries = useLoad(() => greenlit.webhooks.deliveries(id, { limit: 50 }).page(), [id]);
  const secret = useSignal("");
  const act = (work: () => Promise<unknown>, said: string) =>
    void attempt(work).then((isDone) => {
      if (!isDone) return;
      toast(said);
      endpoint.again();
      deliveries.again();
    });
  const { url = "Webhook", isActive = true, eventTypes = [], disabledReason } = endpoint.value.value ?? {};
  const type = eventTypes[0] ?? "asset.processing.completed";
  return (
    <Page
      title={url}
      about={eventTypes.join(", ")}
      actions={
        <>
          <button
            type="button"
            class="primary"
            onClick={() => act(() => greenlit.webhooks.test(id, { eventType: type }), "A test event is on its way")}
          >
            Send test event
          </button>
          <button
            type="button"
            onClick={() =>
              act(() => greenlit.webhooks.update(id, { isActive: !isActive }), isActive ? "Paused" : "Active again")
            }
          >
            {isActive ? "Pause" : "Resume"}
          </button>
          <button
            type="button"
            onClick={() => {
              const since = new Date(Date.now() - dayMs).toISOString();
              act(() => greenlit.webhooks.recover(id, { since }), "What failed in the last day is sent again");
            }}
          >
            Recover a day
          </button>
          <button
            type="button"
            onClick={() => void attempt(async () => (secret.value = (await greenlit.webhooks.rotateSecret(id)).secret))}
          >
            New secret
          </button>
          <ConfirmButton
            label="Delete"
            question="Delete this endpoint?"
            about="Nothing more is sent to it, and the history of its deliveries is gone."
            onConfirm={() =>
              void attempt(() => greenlit.webhooks.delete(id)).then((isDone) => isDone && navigate("/webhooks"))
            }
          />
        </>
      }
    >
      {disabledReason && <p class="refusal">{disabledReason}</p>}
      <h2>Deliveries</h2>
      <States of={deliveries}>
        {({ data }) =>
          data.length === 0 ? (
            <div class="empty">Nothing was sent yet.</div>
          ) : (
            <ul class="audit">
              {data.map((delivery) => (
                <Delivery
                  key={delivery.deliveryId}
                  delivery={delivery}
                  onReplay={() => act(() => greenlit.webhooks.replay(id, delivery.deliveryId), "Sent again")}
                />
              ))}
            </ul>
          )
        }
      </States>
      <SignatureHelper />
      {secret.value !== "" && (
        <Once
          title="The new secret"
          about="The old one signs too for a day. The new one is shown only now."
          text={secret.value}
          onClose={() => (secret.value = "")}
        />
      )}
    </Page>
  );
}

function Delivery({ delivery, onReplay }: { delivery: WebhookDelivery; onReplay: () => void }) {
  const { eventType, status, attempts, responseBody, createdAt, eventId, nextAttemptAt } = delivery;
  const isOpen = useSignal(false);
  return (
    <li>
      <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>
          <span class={`badge ${status}`}>{words(status)}</span>
          <strong class="cut">{eventType}</strong>
          <span class="quiet cut">{delivery.error ?? delivery.responseStatusCode ?? ""}</span>
          <time class="quiet" dateTime={createdAt}>
            {ago(createdAt)}
          </time>
        </summary>
        <div class="rule-body">
          <p class="quiet">
            Event <code>{eventId}</code>
            {nextAttemptAt && ` · next attempt ${date(nextAttemptAt)}`}
          </p>
          <ol class="plain-list">
            {attempts.map(({ attempt: number, at, responseStatusCode, error, durationMs }) => (
              <li key={number}>
                {number}. {date(at)}: {error ?? `answered ${responseStatusCode} in ${durationMs} ms`}
              </li>
            ))}
          </ol>
          {responseBody && (
            <>
              <h3>Answer</h3>
              <pre class="code">{responseBody}</pre>
            </>
          )}
          {isOpen.value && <Payload delivery={delivery} />}
          <div>
            <button type="button" class="small" onClick={onReplay}>
              Send again
            </button>
          </div>
        </div>
      </details>
    </li>
  );
}
