import { signatureHeaders } from "@greenlit/server/webhooks/sending/signature.ts";
import { CommandError } from "./command-error.ts";

type Options = { api: string; key: string; forwardTo: string; secret: string; json?: boolean };
type Message = { event: string; timestamp: string; data: Record<string, unknown> };

const types: Record<string, string> = {
  "asset.completed": "asset.processing.completed",
  "asset.failed": "asset.processing.failed",
};
const reconnectMs = 1000;

/** Follows the workspace's channel until it is interrupted, and posts what a webhook would carry. */
export async function listen(options: Options): Promise<void> {
  const base = options.api.replace(/\/+$/, "").replace(/\/api(\/v1)?\/integrations$/, "");
  const limits = await fetch(`${base}/api/integrations/limits`, { headers: { "x-api-key": options.key } }).catch(
    (error: unknown) => {
      throw new CommandError(
        `The API at ${base} cannot be reached (${reasonOf(error)}). Is it running? Choose another with --api.`,
      );
    },
  );
  if (!limits.ok) throw new CommandError(`The API answered ${limits.status}: ${await limits.text()}`);
  const { workspaceId } = (await limits.json()) as { workspaceId: string };
  say(options, { listening: workspaceId, secret: options.secret }, [
    `Listening to workspace ${workspaceId}, forwarding to ${options.forwardTo}.`,
    `Verify with: ${options.secret}`,
    "Ctrl-C stops.",
    "",
  ]);

  for (let lastEventId = ""; ;) {
    try {
      for await (const { id, message } of follow({
        ...options,
        base,
        channel: `private-workspace-${workspaceId}`,
        lastEventId,
      })) {
        if (id !== "") lastEventId = id;
        if (types[message.event]) await forward(options, message);
      }
    } catch (error) {
      if (error instanceof CommandError) throw error;
      say(options, { disconnected: reasonOf(error) }, [`Lost the connection (${reasonOf(error)}); trying again.`]);
    }
    await new Promise((resolve) => setTimeout(resolve, reconnectMs));
  }
}

async function* follow(options: {
  base: string;
  key: string;
  channel: string;
  lastEventId: string;
}): AsyncGenerator<{ id: string; message: Message }> {
  const { base, key, channel, lastEventId } = options;
  const response = await fetch(`${base}/api/integrations/realtime/${channel}`, {
    headers: { "x-api-key": key, ...(lastEventId !== "" && { "last-event-id": lastEventId }) },
  });
  if (response.status >= 400 && response.status < 500)
    throw new CommandError(`The API answered ${response.status}: ${await response.text()}`);
  if (!response.ok || !response.body) throw new Error(`answered ${response.status}`);
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const field = (name: string) =>
        lines
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).trimStart())
          .join("\n");
      const data = field("data");
      if (data !== "") yield { id: field("id"), message: JSON.parse(data) as Message };
    }
  }
}

async function forward(options: Options, { event, timestamp, data }: Message): Promise<void> {
  const type = types[event] ?? event;
  const body = JSON.stringify({ type, timestamp, data: snakeCase(data) });
  const headers = signatureHeaders({
    eventId: crypto.randomUUID(),
    sentAt: new Date(),
    body,
    secrets: [options.secret],
  });
  const startedAt = performance.now();
  const outcome = await fetch(options.forwardTo, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(15_000),
  }).then(
    (response) => `answered ${response.status} in ${Math.round(performance.now() - startedAt)} ms`,
    (error: unknown) => reasonOf(error),
  );
  say(options, { type, assetId: data["assetId"], outcome }, [
    `${timestamp}  ${type}  ${String(data["filename"])}  →  ${outcome}`,
  ]);
}

function snakeCase(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

function say(options: { json?: boolean }, fact: Record<string, unknown>, lines: string[]): void {
  console.log(options.json ? JSON.stringify(fact) : lines.join("\n"));
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
