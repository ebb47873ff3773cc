import { useSignal } from "@preact/signals";
import { greenlit, messageOf } from "../api/client.ts";
import { Field } from "../session/field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formText } from "../ui/form-text.ts";

/** For good, so the reason is asked for. */
export function RevokeDialog(props: { certificateId: string; onClose: () => void; onRevoked: () => void }) {
  const { certificateId, onClose, onRevoked } = props;
  const error = useSignal("");
  const revoke = async (form: HTMLFormElement) => {
    try {
      await greenlit.call("revokeCertificate", {
        params: { certificate_id: certificateId },
        body: { reason: formText(form, "reason") },
      });
      onRevoked();
      onClose();
    } catch (failure) {
      error.value = messageOf(failure);
    }
  };
  return (
    <Dialog title="Revoke this certificate?" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void revoke(event.currentTarget);
        }}
      >
        <p>From now on its status page and every check against this service say that it was revoked. For good.</p>
        {error.value !== "" && (
          <p class="refusal" role="alert">
            {error.value}
          </p>
        )}
        <Field label="Reason" name="reason" required autofocus />
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="danger">
            Revoke
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
