import { signal } from "@preact/signals";
import { greenlit } from "../api/client.ts";
import type { Member } from "@greenlit/sdk/src/generated.ts";

/** The people of the workspace, for names and for assigning. */
export const members = signal<Member[]>([]);

export async function loadMembers(): Promise<void> {
  members.value = (await greenlit.call("listPeople")).data;
}

export function personName(personId: string | null): string | undefined {
  return members.value.find((member) => member.personId === personId)?.name;
}
