import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
export const theme = signal<Theme>((localStorage.getItem("theme") as Theme | null) ?? "system");

export function applyTheme(next = theme.value): void {
  theme.value = next;
  localStorage.setItem("theme", next);
  if (next === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = next;
}
