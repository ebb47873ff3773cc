import { fileIntegrity } from "./sidekicks/file-integrity.ts";
import type { Sidekick } from "./sidekick.ts";

/** The sidekicks that come with the engine, in the order they are listed. */
export const builtInSidekicks: readonly Sidekick[] = [fileIntegrity];
