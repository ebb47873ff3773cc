import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { messageOf } from "../api/client.ts";

export type Loaded<T> = { value: T | undefined; error: string | undefined };

/** Reads something for a page, again whenever `on` changes. What is there stays while it is read anew. */
export function useLoad<T>(read: () => Promise<T>, on: readonly unknown[]): Signal<Loaded<T>> & { again: () => void } {
  const state = useSignal<Loaded<T>>({ value: undefined, error: undefined });
  let isCurrent = true;
  const load = () => {
    read().then(
      (value) => isCurrent && (state.value = { value, error: undefined }),
      (error: unknown) => isCurrent && (state.value = { value: state.value.value, error: messageOf(error) }),
    );
  };
  useEffect(() => {
    load();
    return () => (isCurrent = false);
  }, on);
  return Object.assign(state, { again: load });
}

/** The three things a list can be before it is one. */
export function States<T>({
  of,
  children,
}: {
  of: Signal<Loaded<T>> & { again: () => void };
  children: (value: T) => ComponentChildren;
}) {
  const { value, error } = of.value;
  if (value !== undefined) return <>{children(value)}</>;
  if (error !== undefined)
    return (
      <div class="empty" role="alert">
        <p>{error}</p>
        <button type="button" onClick={() => of.again()}>
          Try again
        </button>
      </div>
    );
  return <Skeleton />;
}

export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <i key={row} />
      ))}
    </div>
  );
}
