import { useSignal } from "@preact/signals";
import { Icon } from "./icon.tsx";

/** Copies a text and says so for a moment. */
export function Copy({ text, label = "Copy" }: { text: string; label?: string }) {
  const isCopied = useSignal(false);
  return (
    <button
      type="button"
      class="small"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          isCopied.value = true;
          setTimeout(() => (isCopied.value = false), 1500);
        });
      }}
    >
      <Icon name={isCopied.value ? "check" : "copy"} size={14} />
      {isCopied.value ? "Copied" : label}
    </button>
  );
}
