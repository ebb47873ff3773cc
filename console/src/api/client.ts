import { signal } from "@preact/signals";
import { createGreenlit } from "@greenlit/sdk/src/client.ts";

/** Where the service is: beneath a path, behind some proxies. */
export const base = document.querySelector<HTMLMetaElement>('meta[name="greenlit-base"]')?.content ?? "";

export type Mode = "live" | "sandbox";
export const mode = signal<Mode>(localStorage.getItem("mode") === "sandbox" ? "sandbox" : "live");

let onSessionOver = () => {};
/** Called when an answer says that nobody is signed in any more. */
export function whenSessionIsOver(listener: () => void): void {
  onSessionOver = listener;
}

export const greenlit = createGreenlit({
  baseUrl: location.origin + base,
  maxRetries: 2,
  async fetch(url, init) {
    const headers = new Headers(init?.headers);
    const isOurs = url.startsWith(location.origin);
    if (isOurs) headers.set("x-greenlit-mode", mode.value);
    const response = await fetch(url, { ...init, headers });
    if (response.status === 401 && isOurs && !url.endsWith("/session")) onSessionOver();
    return response;
  },
});

export type AssetIds = { submissionId: string; assetId: string };

/** The address of an asset's part, for pictures and players, which send the session's cookie by themselves. */
export function assetUrl({ submissionId, assetId }: AssetIds, part: string): string {
  return `${base}/api/integrations/submissions/${submissionId}/assets/${assetId}/${part}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "Something went wrong. Try again.";
}
