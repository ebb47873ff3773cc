import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { may } from "../session/session.ts";
import { UploadDialog } from "./upload-dialog.tsx";
import { UploadPanel } from "./upload-panel.tsx";

const isOver = signal(false);
/** Files that somebody chose and has not sent yet. */
const chosen = signal<File[]>([]);

export function pickFiles(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.addEventListener("change", () => (chosen.value = [...(input.files ?? [])]));
  input.click();
}

/** Files can be dropped or pasted anywhere. */
export function DropTarget({ children }: { children: ComponentChildren }) {
  useEffect(() => {
    if (!may("reviewer")) return;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = true;
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && (isOver.value = false);
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = false;
      chosen.value = [...(event.dataTransfer?.files ?? [])];
    };
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) chosen.value = files;
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    addEventListener("paste", paste);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
      removeEventListener("paste", paste);
    };
  }, []);
  return (
    <>
      {children}
      {isOver.value && (
        <div class="drop-veil" aria-hidden="true">
          <p>Drop to upload</p>
        </div>
      )}
      {chosen.value.length > 0 && <UploadDialog files={chosen.value} onClose={() => (chosen.value = [])} />}
      <UploadPanel />
    </>
  );
}
