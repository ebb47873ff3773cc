import { greenlit } from "../api/client.ts";

/** What happened in the workspace. Review and comment messages are not among those of the SDK's submission channel. */
type LiveEvent = { event: string; submissionId?: string; assetId?: string };

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();

export function onLive(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Follows the workspace while the page is seen. A hidden tab lets go of its stream, since a browser has six connections
 * to a host and the tabs share them.
 */
export function followWorkspace(workspaceId: string): () => void {
  let stop: AbortController | undefined;

  async function follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const { event, data } of greenlit.realtime.follow(`private-workspace-${workspaceId}`, { signal }))
          tell({ event, ...(data as Omit<LiveEvent, "event">) });
      } catch {
        // Without a stream the page is as it was loaded; the next attempt follows.
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 5000));
    }
  }

  function see(): void {
    stop?.abort();
    if (document.hidden) return;
    stop = new AbortController();
    void follow(stop.signal);
    tell({ event: "seen" });
  }

  document.addEventListener("visibilitychange", see);
  see();
  return () => {
    document.removeEventListener("visibilitychange", see);
    stop?.abort();
  };
}

function tell(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}
