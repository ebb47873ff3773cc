import { useSignal } from "@preact/signals";
import { Dialog } from "./dialog.tsx";

type Props = {
  label: string;
  /** What happens, as a question, and what follows from it. */
  question: string;
  about: string;
  class?: string;
  onConfirm: () => void;
};

/** For what cannot be undone: it asks first. */
export function ConfirmButton({ label, question, about, onConfirm, ...rest }: Props) {
  const isAsking = useSignal(false);
  const close = () => (isAsking.value = false);
  return (
    <>
      <button type="button" class={rest.class ?? "danger"} onClick={() => (isAsking.value = true)}>
        {label}
      </button>
      {isAsking.value && (
        <Dialog title={question} onClose={close}>
          <p>{about}</p>
          <footer>
            <button type="button" onClick={close}>
              Cancel
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => {
                close();
                onConfirm();
              }}
            >
              {label}
            </button>
          </footer>
        </Dialog>
      )}
    </>
  );
}
