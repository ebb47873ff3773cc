import {
  AuthenticationError,
  createGreenlit,
  ForbiddenError,
  NotFoundError,
  type RealtimeMessage,
  TimeoutError,
  UnsupportedTypeError,
  ValidationError,
} from "../index.ts";
import { equal, rejection, scriptedFetch, type SuiteCase, uniqueName } from "./suite-case.ts";

const nobody = "00000000-0000-7000-8000-000000000000";
const text = () => new Blob(["A plain note.\n"], { type: "text/plain" });

export const clientCases: SuiteCase[] = [
  {
    name: "a file goes from upload to findings over the stream of events",
    async run({ baseUrl, liveKey }) {
      const greenlit = createGreenlit({ baseUrl, apiKey: liveKey });
      const seen: RealtimeMessage[] = [];

      const { blobPath, sizeBytes } = await greenlit.upload(text(), { filename: uniqueName("note", "txt") });
      const created = await greenlit.submissions.create({ assets: [{ blobPath }] });
      const done = await greenlit.submissions.waitUntilDone(created.submissionId, {
        onMessage: (message) => seen.push(message),
      });

      const asset = done.assets[0];
      const issues = await greenlit.assets.issues(done.submissionId, asset?.assetId ?? "").all();
      equal([done.status, asset?.issueCount, sizeBytes], ["complete", issues.length, 14]);
      equal(seen[0]?.event, "submission.status");
      const last = seen.at(-1);
      equal(last?.event === "submission.status" && last.data.status, "complete");
    },
  },
  {
    name: "waitUntilDone polls where the network gives no stream",
    async run({ baseUrl, sandboxKey }) {
      const greenlit = createGreenlit({
        baseUrl,
        apiKey: sandboxKey,
        fetch: async (url, init) =>
          url.includes("/realtime/")
            ? new Response("<html>", { headers: { "content-type": "text/html" } })
            : fetch(url, init),
      });
      const { blobPath } = await greenlit.upload(text(), { filename: uniqueName("polled", "txt") });
      const { submissionId } = await greenlit.submissions.create(
        { assets: [{ blobPath }] },
        { simulationDelaySeconds: 3 },
      );
      let polls = 0;

      const done = await greenlit.submissions.waitUntilDone(submissionId, { onMessage: () => (polls += 1) });

      equal(done.status, "complete");
      equal(polls > 0, true, "polls");
    },
  },
  {
    name: "waitUntilDone gives up after its timeout, and at the caller's abort",
    async run({ baseUrl, sandboxKey }) {
      const greenlit = createGreenlit({ baseUrl, apiKey: sandboxKey });
      const { blobPath } = await greenlit.upload(text(), { filename: uniqueName("slow", "txt") });
      const { submissionId } = await greenlit.submissions.create(
        { assets: [{ blobPath }] },
        { simulationDelaySeconds: 30 },
      );
      const stop = new AbortController();

      const late = await rejection(greenlit.submissions.waitUntilDone(submissionId, { timeoutMs: 50 }));
      const aborted = rejection(greenlit.submissions.waitUntilDone(submissionId, { signal: stop.signal }));
      stop.abort(new Error("enough"));

      equal(late instanceof TimeoutError, true, late.message);
      equal((await aborted).message, "enough");
    },
  },
  {
    name: "lists are read page by page, and each item comes once",
    async run({ baseUrl, sandboxKey }) {
      const greenlit = createGreenlit({ baseUrl, apiKey: sandboxKey });
      const { blobPath } = await greenlit.upload(text(), { filename: uniqueName("listed", "txt") });
      const ids = new Set<string>();
      for (let count = 0; count < 5; count += 1)
        ids.add((await greenlit.submissions.create({ assets: [{ blobPath }] })).submissionId);

      const found = [];
      for await (const { submissionId } of greenlit.submissions.list({ limit: 2 })) {
        if (ids.has(submissionId)) found.push(submissionId);
        if (found.length === ids.size) break;
      }

      equal(found.toSorted(), [...ids].toSorted());
      equal((await greenlit.submissions.list({ limit: 2 }).page()).data.length, 2);
    },
  },
  {
    name: "each refusal is an error of its own class, with code, request id and details",
    async run({ baseUrl, liveKey }) {
      const greenlit = createGreenlit({ baseUrl, apiKey: liveKey });
      const stranger = createGreenlit({ baseUrl, apiKey: `sk_live_${"0".repeat(64)}` });

      const unknown = await rejection(stranger.limits());
      const missing = await rejection(greenlit.submissions.get(nobody));
      const invalid = await rejection(greenlit.submissions.create({ assets: [] }));
      const name = await rejection(greenlit.upload(text(), { filename: "../note.txt" }));
      const type = await rejection(greenlit.upload(text(), { filename: "note.svg", contentType: "image/svg+xml" }));

      equal(
        [unknown, missing, invalid, name, type].map((error) => [error["status"], error["code"]]),
        [
          [401, "unauthenticated"],
          [404, "not_found"],
          [422, "invalid_request"],
          [403, "invalid_filename"],
          [415, "content_type_not_allowed"],
        ],
      );
      equal(unknown instanceof AuthenticationError && missing instanceof NotFoundError, true);
      equal(invalid instanceof ValidationError && invalid.details[0]?.path, "assets");
      equal(name instanceof ForbiddenError && type instanceof UnsupportedTypeError, true);
      equal(typeof missing["requestId"], "string");
    },
  },
  {
    name: "an id that is missing is refused here, before it becomes another address",
    async run({ baseUrl, liveKey }) {
      const { fetch, seen } = scriptedFetch([]);
      const greenlit = createGreenlit({ baseUrl, apiKey: liveKey, fetch });

      const error = await rejection(greenlit.submissions.delete(""));

      equal([error.message, seen.length], ["submission_id is missing.", 0]);
    },
  },
  {
    name: "a broken stream is continued after the last event, without a hole",
    async run() {
      const stream = (...events: string[]) =>
        new Response(events.join(""), { headers: { "content-type": "text/event-stream; charset=utf-8" } });
      const event = (id: number, data: object) => `id: ${id}\r\nevent: x\r\ndata: ${JSON.stringify(data)}\r\n\r\n`;
      const channel = `private-submission-${nobody}`;
      const message = (event: string, data: object) => ({ event, channel, data });
      const { fetch, seen } = scriptedFetch([
        () => stream(": hello\n\n", event(1, message("asset.progress", {})), "id: 2\ndata: {half"),
        () => stream(event(2, message("submission.status", { status: "complete" }))),
      ]);
      const greenlit = createGreenlit({ fetch });

      const events = [];
      for await (const { event } of greenlit.realtime.follow(channel)) events.push(event);

      equal(events, ["asset.progress", "submission.status"]);
      equal(
        seen.map(({ headers }) => headers.get("last-event-id")),
        [null, "1"],
      );
    },
  },
];
