import { Type } from "typebox";
import { channelPattern } from "../../realtime/channel.ts";

export const ChannelName = Type.String({
  pattern: channelPattern,
  description: "`private-submission-<submissionId>`, as in `realtimeChannel`, or `private-workspace-<workspaceId>`.",
  examples: ["private-submission-0199a3f2-7c1e-7d44-9b1a-5f2f6f1c8a10"],
});
