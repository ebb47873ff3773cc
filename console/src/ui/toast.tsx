import { signal } from "@preact/signals";
import { messageOf } from "../api/client.ts";

type Toast = { id: number; text: string; kind: "done" | "error"; action?: { label: string; run: () => void } };

const toasts = signal<Toast[]>([]);
let lastId = 0;

/** Says what happened, and for ten seconds how to undo it. */
export function toast(text: string, options: { kind?: Toast["kind"]; action?: Toast["action"] } = {}): void {
  const { kind = "done", action } = options;
  const id = ++lastId;
  toasts.value = [...toasts.value.slice(-2), { id, text, kind, ...(action && { action }) }];
  setTimeout(() => close(id), action || kind === "error" ? 10_000 : 4000);
}

export function toastError(error: unknown): void {
  toast(messageOf(error), { kind: "error" });
}

/** Runs it and shows a refusal where the person looks. False: refused. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    toastError(error);
    return false;
  }
}

function close(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, kind, action }) => (
        <div key={id} class={`toast ${kind}`}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                action.run();
                close(id);
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="plain" aria-label="Close this message" onClick={() => close(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
