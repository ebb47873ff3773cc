import { Type } from "typebox";
import { holderOf } from "../../realtime/holder.ts";
import { findChannel } from "../../realtime/open-stream.ts";
import { defineRoute, prefix } from "../route.ts";
import { Body, Timestamp } from "../schemas.ts";
import { ChannelName } from "./channel-name.ts";

export const createRealtimeToken = defineRoute({
  method: "POST",
  path: "/realtime/token",
  bucket: "submission_read",
  role: "viewer",
  operationId: "createRealtimeToken",
  tag: "Realtime",
  summary: "Get a token that lets a page follow a channel",
  description:
    "For an `EventSource`, which cannot set headers, and for pages that must not know the key: ask for it on your server and hand `url` to the page. The token opens this one channel and nothing else. It is valid for 5 minutes to connect; a stream that is open stays open. An `EventSource` that reconnects later is refused with 401 and stops: give it a new one. Requests with it count against the key that asked for it, and it ends with that key.",
  body: Body({ channel: ChannelName }, { title: "RealtimeTokenRequest" }),
  bodyExample: { channel: "private-submission-0199a3f2-7c1e-7d44-9b1a-5f2f6f1c8a10" },
  responses: {
    200: {
      description: "The token, and the address that has it.",
      schema: Type.Object(
        {
          token: Type.String({ description: "Goes into the query parameter `token`. Anyone who has it can listen." }),
          channel: Type.String(),
          url: Type.String({ format: "uri", description: "For `new EventSource(url)`." }),
          expiresAt: Timestamp,
        },
        { title: "RealtimeToken" },
      ),
      example: {
        token: "rt_WyJ3c19rM3Y1.q0ZrT2x",
        channel: "private-submission-0199a3f2-7c1e-7d44-9b1a-5f2f6f1c8a10",
        url: "http://127.0.0.1:8080/api/integrations/realtime/private-submission-0199a3f2-7c1e-7d44-9b1a-5f2f6f1c8a10?token=rt_WyJ3c19rM3Y1.q0ZrT2x",
        expiresAt: "2026-11-15T09:35:00.000Z",
      },
    },
  },
  failures: ["not_found"],
  async handler({ app, caller, body }) {
    const { workspaceId } = caller;
    const { channel } = await findChannel(app, { channelName: body.channel, workspaceId });
    const { token, expiresAt } = app.realtime.tokens.issue({
      workspaceId,
      keyId: holderOf(caller),
      channel: channel.name,
    });
    const url = `${app.publicUrl()}${prefix}/realtime/${channel.name}?token=${token}`;
    return { status: 200, body: { token, channel: channel.name, url, expiresAt: expiresAt.toISOString() } };
  },
});
