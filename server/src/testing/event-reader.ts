export type ReceivedEvent = {
  id: string | undefined;
  event: string | undefined;
  message: { event: string; channel: string; timestamp: string; data: Record<string, unknown> };
};

export type EventReader = {
  response: Response;
  /** The id to resume from: the last one that was sent, on whatever frame. */
  readonly lastEventId: string | undefined;
  readonly comments: number;
  /** The next message, or undefined at the end of the stream. */
  next(): Promise<ReceivedEvent | undefined>;
  /** All messages to the end, or until the predicate holds for one, which is the last. */
  readUntil(isLast?: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent[]>;
} & AsyncDisposable;

/** Reads server-sent events by `fetch`, as a page without `EventSource` would. */
export async function openEvents(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let lastEventId: string | undefined;
  let comments = 0;

  function parse(frame: string): ReceivedEvent | undefined {
    const fields = new Map<string, string>();
    for (const line of frame.split("\n")) {
      const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (name === "") comments += 1;
      else fields.set(name, value);
    }
    lastEventId = fields.get("id") ?? lastEventId;
    const data = fields.get("data");
    if (data === undefined) return undefined;
    return { id: fields.get("id"), event: fields.get("event"), message: JSON.parse(data) as ReceivedEvent["message"] };
  }

  async function next(): Promise<ReceivedEvent | undefined> {
    for (;;) {
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const event = parse(text.slice(0, end));
        text = text.slice(end + 2);
        if (event) return event;
      }
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return undefined;
      text += chunk.value;
    }
  }

  return {
    response,
    get lastEventId() {
      return lastEventId;
    },
    get comments() {
      return comments;
    },
    next,
    async readUntil(isLast = () => false) {
      const events: ReceivedEvent[] = [];
      for (let event = await next(); event; event = await next()) {
        events.push(event);
        if (isLast(event)) break;
      }
      return events;
    },
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await reader?.cancel().catch(() => {});
    },
  };
}
