/** How many assets a workspace has waiting, where many do: counting them would take longer than making the next one. */
export type KnownBacklogs = {
  /** Null: unknown, few or a second old. The statement counts then. */
  of(workspaceId: string): number | null;
  /** After a creation: what its statement counted, or null when it was told, and how many assets came with it. */
  note(workspaceId: string, creation: { counted: number | null; added: number }): void;
};

const many = 100;
const freshMs = 1000;

/**
 * A second late at most, and only behind a hundred others: a new asset's place differs by what was analysed or came to
 * another process meanwhile.
 */
export function createKnownBacklogs(): KnownBacklogs {
  const known = new Map<string, { waiting: number; countedAt: number }>();
  return {
    of(workspaceId) {
      const backlog = known.get(workspaceId);
      if (backlog === undefined || performance.now() - backlog.countedAt < freshMs) return backlog?.waiting ?? null;
      known.delete(workspaceId);
      return null;
    },
    note(workspaceId, { counted, added }) {
      const backlog = known.get(workspaceId);
      if (counted === null && backlog) backlog.waiting += added;
      else if (counted !== null && counted >= many)
        known.set(workspaceId, { waiting: counted + added, countedAt: performance.now() });
    },
  };
}
