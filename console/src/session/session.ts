import { computed, signal } from "@preact/signals";
import { greenlit, mode, whenSessionIsOver, type Mode } from "../api/client.ts";
import type { Me } from "@greenlit/sdk/src/generated.ts";

/** Undefined: not known yet. Null: nobody is signed in. */
export const me = signal<Me | null | undefined>(undefined);

whenSessionIsOver(() => (me.value = null));

const ranks = ["viewer", "reviewer", "approver", "admin"] as const;
type Role = (typeof ranks)[number];

/** Whether the person may do what needs this role. The service decides; this only hides what it would refuse. */
export function may(role: Role): boolean {
  const own = me.value?.role;
  return own !== null && own !== undefined && ranks.indexOf(own) >= ranks.indexOf(role);
}

export const workspace = computed(() =>
  me.value?.workspaces.find(({ workspaceId }) => workspaceId === me.value?.workspaceId),
);

/** Without a cookie there is nobody to ask about, as the page itself says. */
const isSignedOut = document.querySelector<HTMLMetaElement>('meta[name="greenlit-session"]')?.content === "none";

export async function loadMe(): Promise<void> {
  if (isSignedOut) return void (me.value = null);
  try {
    me.value = await greenlit.call("readMe");
  } catch {
    me.value = null;
  }
}

export async function signOut(): Promise<void> {
  await greenlit.call("signOut").catch(() => undefined);
  me.value = null;
}

export async function chooseWorkspace(workspaceId: string): Promise<void> {
  me.value = await greenlit.call("chooseWorkspace", { body: { workspaceId } });
}

export function chooseMode(next: Mode): void {
  localStorage.setItem("mode", next);
  mode.value = next;
}
