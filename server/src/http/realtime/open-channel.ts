import { Type } from "typebox";
import { openStream } from "../../realtime/open-stream.ts";
import { defineRoute } from "../route.ts";
import { Body } from "../schemas.ts";
import { ChannelName } from "./channel-name.ts";

const description = `Server-sent events. Each message is \`{"event","channel","timestamp","data":{…}}\` in \`data:\`, with its name in \`event:\` too.

**\`private-submission-<submissionId>\`**: the first message is a \`submission.status\` whose \`data\` is the whole current status, as \`GET /submissions/{submission_id}\` answers it. Then come, in order and as they happen:

| event | data | kept |
|---|---|---|
| \`submission.status\` | \`submissionId\`, \`status\` | yes |
| \`asset.progress\` | \`submissionId\`, \`assetId\`, \`progressPercent\`; at most twice a second an asset | no |
| \`asset.issue\` | \`assetId\`, \`issue\`: a finding as soon as it is made, with the id and number that it keeps in the result | yes |
| \`asset.restarted\` | \`assetId\`: its analysis starts again; discard the findings sent so far | yes |
| \`asset.completed\`, \`asset.failed\` | how the asset ended | yes |

The stream ends after the terminal status. Close an \`EventSource\` then: it would connect again, a minute later, and get the status and the end once more. After a retry connect again to follow it.

**\`private-workspace-<workspaceId>\`**: \`asset.completed\`, \`asset.failed\` and the terminal \`submission.status\` of all submissions of the workspace, each naming its \`submissionId\`; and, not kept, \`review.changed\`, \`comment.created\` and \`renditions.changed\` with the ids of what changed. It begins with what happens next and does not end.

**Resuming.** Kept messages have an \`id\`. Connect again with the last one in \`Last-Event-ID\` (an \`EventSource\` does) or in \`lastEventId\`: what was missed comes first, without a hole or a repeat. \`0\` gives everything that is kept. Without it a stream begins now. Ids of a submission count up by one; those of a workspace are opaque.

A comment every 15 s keeps proxies open. A client that does not read what is sent is disconnected. A stream ends within seconds when its key is revoked or its submission deleted, and when the service restarts: connect again. A key may have only so many streams open: 429 beyond.`;

export const openChannel = defineRoute({
  method: "GET",
  path: "/realtime/:channel",
  bucket: "submission_read",
  role: "viewer",
  auth: "key-or-token",
  operationId: "openChannel",
  tag: "Realtime",
  summary: "Follow a submission or a workspace as it happens",
  description,
  params: Type.Object({ channel: ChannelName }),
  query: Body({
    lastEventId: Type.Optional(
      Type.String({
        maxLength: 8000,
        description: "For clients that cannot set `Last-Event-ID`, which goes before it.",
      }),
    ),
    token: Type.Optional(
      Type.String({ description: "Instead of X-API-Key, from `POST /api/integrations/realtime/token`." }),
    ),
  }),
  responses: {
    200: {
      description: "The channel, until it ends or the client leaves.",
      contentType: "text/event-stream; charset=utf-8",
      example: `id: 7
event: asset.completed
data: {"event":"asset.completed","channel":"private-submission-0199a3f2-7c1e-7d44-9b1a-5f2f6f1c8a10","timestamp":"2026-11-15T09:30:00.000Z","data":{"submissionId":"0199a3f2-7c1e-7d44-9b1a-5f2f6f1c8a10","assetId":"0199a3f2-7c1f-7a02-8d53-1d0c5e0b7f21","issueCount":3}}
`,
    },
  },
  failures: ["not_found"],
  async handler({ app, caller, params, query, request }) {
    const stream = await openStream(app, {
      caller,
      channelName: params.channel,
      lastEventId: request.headers["last-event-id"]?.toString() || query.lastEventId,
    });
    return {
      status: 200,
      stream: stream.readable,
      // Nginx would hold messages back until it has a bufferful.
      headers: { "x-accel-buffering": "no" },
      logFields: () => stream.summary(),
    };
  },
});
