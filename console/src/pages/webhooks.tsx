import { useSignal } from "@preact/signals";
import type { NewWebhookSubscription } from "@greenlit/sdk/src/generated.ts";
import { greenlit, messageOf } from "../api/client.ts";
import { Field } from "../session/field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formText } from "../ui/form-text.ts";
import { States, useLoad } from "../ui/load.tsx";
import { Once } from "../ui/once.tsx";
import { Page } from "../ui/page.tsx";
import { Link } from "../ui/router.tsx";

type EventType = NewWebhookSubscription["eventTypes"][number];
const eventTypes: EventType[] = [
  "asset.processing.completed",
  "asset.processing.failed",
  "asset.review.decided",
  "asset.rejudged",
  "certificate.issued",
  "certificate.revoked",
];

export function WebhooksPage() {
  const list = useLoad(() => greenlit.webhooks.list().all(), []);
  const isMaking = useSignal(false);
  const error = useSignal("");
  const secret = useSignal("");
  const make = async (form: HTMLFormElement) => {
    error.value = "";
    try {
      const chosen = new FormData(form).getAll("eventTypes");
      const made = await greenlit.webhooks.create({
        url: formText(form, "url"),
        description: formText(form, "description"),
        eventTypes: eventTypes.filter((type) => chosen.includes(type)),
      });
      secret.value = made.secret;
      isMaking.value = false;
      list.again();
    } catch (failure) {
      error.value = messageOf(failure);
    }
  };
  return (
    <Page
      title="Webhooks"
      about="Your programs are notified when an asset is done or decided. Deliveries are signed and tried again for a day."
      actions={
        <button type="button" class="primary" onClick={() => (isMaking.value = true)}>
          Add endpoint
        </button>
      }
    >
      <States of={list}>
        {(subscriptions) =>
          subscriptions.length === 0 ? (
            <div class="empty">
              <p>No endpoint yet.</p>
              <p class="quiet">Add one, then send it a test event.</p>
            </div>
          ) : (
            <ul class="rows">
              {subscriptions.map(({ subscriptionId, url, description, isActive, eventTypes: types }) => (
                <li key={subscriptionId} class="simple-row">
                  <Link to={`/webhooks/${subscriptionId}`}>
                    <span class="what">
                      <strong class="cut">{url}</strong>
                      <small class="quiet cut">{description ?? types.join(", ")}</small>
                    </span>
                    <span class={`badge ${isActive ? "active" : ""}`}>{isActive ? "Active" : "Paused"}</span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </States>
      {isMaking.value && (
        <Dialog title="Add an endpoint" onClose={() => (isMaking.value = false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void make(event.currentTarget);
            }}
          >
            {error.value !== "" && (
              <p class="refusal" role="alert">
                {error.value}
              </p>
            )}
            <Field label="Address" name="url" type="url" required autofocus placeholder="https://example.com/hooks" />
            <Field label="Description" name="description" />
            <fieldset class="stack">
              <legend>Events</legend>
              {eventTypes.map((type, index) => (
                <label key={type} class="check">
                  <input type="checkbox" name="eventTypes" value={type} defaultChecked={index < 2} />
                  <code>{type}</code>
                </label>
              ))}
            </fieldset>
            <footer>
              <button type="submit" class="primary">
                Add
              </button>
            </footer>
          </form>
        </Dialog>
      )}
      {secret.value !== "" && (
        <Once
          title="The secret of this endpoint"
          about="Verify signatures with it. It is shown only now."
          text={secret.value}
          onClose={() => (secret.value = "")}
        />
      )}
    </Page>
  );
}
