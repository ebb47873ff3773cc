import { signal } from "@preact/signals";
import { greenlit } from "../api/client.ts";

/** The context that the rules use for a file. */
export type Context = {
  jurisdictions?: string[];
  sector?: string;
  channel?: string;
  audience?: string;
  destination?: string;
};

/** What the last upload said, or what the workspace usually says. */
export const context = signal<Context>(JSON.parse(localStorage.getItem("context") ?? "{}") as Context);

export function rememberContext(next: Context): void {
  context.value = next;
  localStorage.setItem("context", JSON.stringify(next));
}

export async function loadDefaultContext(): Promise<void> {
  if (localStorage.getItem("context") !== null) return;
  const before = context.value;
  const { defaultContext } = await greenlit.call("readWorkspace");
  // Somebody was quicker than the answer: what they chose stays.
  if (context.value === before) context.value = defaultContext ?? {};
}
