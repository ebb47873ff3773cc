import { readLimits } from "./account/read-limits.ts";
import { createRealtimeToken } from "./realtime/create-token.ts";
import { openChannel } from "./realtime/open-channel.ts";
import type { Route } from "./route.ts";
import { createUploadUrl } from "./uploads/create-upload-url.ts";
import { uploadDirectly } from "./uploads/upload-directly.ts";

/** The API at a glance. */
export const routes: readonly Route[] = [createUploadUrl, uploadDirectly, openChannel, createRealtimeToken, readLimits];
