import type { App } from "../app.ts";
import type { Progress } from "./progress.ts";

/** Tells the submission's listeners how far an asset is. May be called as often as the worker likes; nothing is kept. */
export function publishProgress(app: App, progress: Progress): void {
  app.realtime.progress.publish(progress);
}
