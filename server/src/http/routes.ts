import { readLimits } from "./account/read-limits.ts";
import type { Route } from "./route.ts";

/** The API at a glance. */
export const routes: readonly Route[] = [readLimits];
