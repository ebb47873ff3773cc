import { computed, signal } from "@preact/signals";
import { callAsPerson, mode, whenSessionIsOver, type Mode } from "../api/client.ts";
import type { Me } from "../api/people-operations.ts";

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
    me.value = await callAsPerson("readMe");
  } catch {
    me.value = null;
  }
}

export async function signOut(): Promise<void> {
  await callAsPerson("signOut").catch(() => undefined);
  me.value = null;
}

export async function chooseWorkspace(workspaceId: string): Promise<void> {
  me.value = await callAsPerson("chooseWorkspace", { body: { workspaceId } });
}

export function chooseMode(next: Mode): void {
  localStorage.setItem("mode", next);
  mode.value = next;
}
