import { useSignal } from "@preact/signals";
import { messageOf, greenlit } from "../api/client.ts";
import { Field } from "../session/field.tsx";
import { formText } from "../ui/form-text.ts";

/** For debugging a receiver: does this body carry this signature? The secret stays in the page. */
export function SignatureHelper() {
  const answer = useSignal<{ isValid: boolean; text: string } | undefined>(undefined);
  const check = async (form: HTMLFormElement) => {
    const text = (name: string) => formText(form, name);
    try {
      await greenlit.webhooks.unwrap({
        body: form.querySelector("textarea")?.value ?? "",
        secret: text("secret"),
        headers: {
          "webhook-id": text("id"),
          "webhook-timestamp": text("timestamp"),
          "webhook-signature": text("signature"),
        },
      });
      answer.value = { isValid: true, text: "The signature is right." };
    } catch (error) {
      answer.value = { isValid: false, text: messageOf(error) };
    }
  };
  return (
    <details class="card try">
      <summary>Check a signature</summary>
      <form
        class="try-body"
        onSubmit={(event) => {
          event.preventDefault();
          void check(event.currentTarget);
        }}
      >
        <div class="grid-2">
          <Field label="Secret" name="secret" placeholder="whsec_…" required />
          <Field label="webhook-id" name="id" required />
          <Field label="webhook-timestamp" name="timestamp" required />
          <Field label="webhook-signature" name="signature" placeholder="v1,…" required />
        </div>
        <label class="field">
          <span>Body, byte for byte</span>
          <textarea name="body" rows={4} class="mono" />
        </label>
        <div class="row">
          <button type="submit">Check</button>
          <span role="status" class={answer.value?.isValid === false ? "refusal" : ""}>
            {answer.value?.text}
          </span>
        </div>
      </form>
    </details>
  );
}
