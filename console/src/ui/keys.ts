import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** Some people's software types letters for them: single keys can be switched off. */
export const keysAreOn = signal(localStorage.getItem("keys") !== "off");

export function switchKeys(on: boolean): void {
  keysAreOn.value = on;
  localStorage.setItem("keys", on ? "on" : "off");
}

type Bindings = Record<string, (event: KeyboardEvent) => void>;

/** Single keys of a page, named as in `KeyboardEvent.key`, `Shift+` before a named key. None fires in a text field. */
export function useKeys(bindings: Bindings): void {
  const current = useRef(bindings);
  current.current = bindings;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const isLetter = event.key.length === 1;
      if (isLetter && !keysAreOn.value) return;
      const name = isLetter ? event.key.toLowerCase() : `${event.shiftKey ? "Shift+" : ""}${event.key}`;
      const run = current.current[name];
      // A focused button answers to the space bar itself, and a slider to the arrows.
      if (!run || (name === " " && isControl(event.target)) || (name.includes("Arrow") && isSlider(event.target)))
        return;
      event.preventDefault();
      run(event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([type=checkbox], [type=range]), textarea, select, [contenteditable]")
  );
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("button, a, summary, input");
}

function isSlider(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === "range";
}
