import type { App } from "../app.ts";
import type { Progress } from "./progress.ts";

/** Sends the progress of an asset to the submission's listeners. May be called as often as the worker likes; nothing is kept. */
export function publishProgress(app: App, progress: Progress): void {
  app.realtime.progress.publish(progress);
}
