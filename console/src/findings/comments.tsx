import { useSignal } from "@preact/signals";
import type { Comment } from "@greenlit/sdk/src/generated.ts";
import { greenlit } from "../api/client.ts";
import { may, me } from "../session/session.ts";
import { ago, clock, date } from "../ui/format.ts";
import { formText } from "../ui/form-text.ts";
import { attempt } from "../ui/toast.tsx";
import type { ReviewStore } from "./review-store.ts";

/** What people say about the asset, each at its moment. */
export function Comments({ store }: { store: ReviewStore }) {
  const { comments, params, player, selected, drawing } = store;
  const text = useSignal("");
  const isAnchored = useSignal(true);
  const isTimed = player.duration.value > 0;
  /** Where a range begins; it ends at the playhead. */
  const from = useSignal<number | undefined>(undefined);
  const span = from.value === undefined ? undefined : [from.value, player.time.value].toSorted((a, b) => a - b);
  const [start = player.time.value, end] = span ?? [];
  const send = (threadId?: string, reply?: string) =>
    attempt(async () => {
      const { box, page } = drawing.value ?? {};
      const anchor = {
        ...(isTimed && { startSeconds: start, ...(end !== undefined && { endSeconds: end }) }),
        ...(selected.value && { issueId: selected.value.id }),
        ...(box && { region: box, ...(page && { page }) }),
      };
      const hasAnchor = threadId === undefined && isAnchored.value && Object.keys(anchor).length > 0;
      await greenlit.call("createComment", {
        params,
        body: { text: reply ?? text.value, ...(threadId && { threadId }), ...(hasAnchor && { anchor }) },
      });
      text.value = "";
      from.value = undefined;
      drawing.value = undefined;
      await store.loadComments();
    });
  const threads = comments.value.filter(({ threadId }) => threadId === null);
  return (
    <section class="comments" aria-label="Comments">
      {may("reviewer") && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <label class="field">
            <span>New comment</span>
            <textarea
              id="new-comment"
              rows={2}
              required
              maxLength={4000}
              value={text.value}
              onInput={(event) => (text.value = event.currentTarget.value)}
            />
          </label>
          <div class="row">
            {(isTimed || selected.value || drawing.value?.box) && (
              <label class="check">
                <input
                  type="checkbox"
                  checked={isAnchored.value}
                  onChange={(event) => (isAnchored.value = event.currentTarget.checked)}
                />
                <span>
                  {isTimed && (end === undefined ? `At ${clock(start)}` : `${clock(start)} to ${clock(end)}`)}
                  {selected.value && ` on finding ${selected.value.referenceNumber}`}
                  {drawing.value?.box && ", with the box"}
                </span>
              </label>
            )}
            <span class="spacer" />
            {isTimed && (
              <button
                type="button"
                class="small"
                aria-pressed={from.value !== undefined}
                title="From here to where the playhead is when you send it"
                onClick={() => (from.value = from.value === undefined ? player.time.value : undefined)}
              >
                Range
              </button>
            )}
            <button
              type="button"
              class="small"
              aria-pressed={drawing.value?.purpose === "comment"}
              onClick={() => (drawing.value = drawing.value ? undefined : { purpose: "comment" })}
            >
              Draw a box
            </button>
            <button type="submit" class="small primary">
              Comment
            </button>
          </div>
        </form>
      )}
      {threads.length === 0 && <div class="empty quiet">No comments yet.</div>}
      <ol>
        {threads.map((comment) => (
          <Thread
            key={comment.commentId}
            store={store}
            comment={comment}
            replies={comments.value.filter(({ threadId }) => threadId === comment.commentId)}
            onReply={(reply) => void send(comment.commentId, reply)}
          />
        ))}
      </ol>
    </section>
  );
}

function Thread(props: { store: ReviewStore; comment: Comment; replies: Comment[]; onReply: (text: string) => void }) {
  const { store, comment, replies, onReply } = props;
  const { commentId, anchor, isResolved, fromVersion } = comment;
  const start = anchor?.startSeconds ?? null;
  const end = anchor?.endSeconds ?? null;
  const change = (work: () => Promise<unknown>) => void attempt(work).then(() => store.loadComments());
  const params = { ...store.params, comment_id: commentId };
  const isReplying = useSignal(false);
  return (
    <li class={isResolved ? "thread done" : "thread"}>
      {[comment, ...replies].map(({ commentId: id, author, text, createdAt }) => (
        <div key={id} class="said">
          <p>
            <strong>{author.name ?? "API key"}</strong>{" "}
            <time class="quiet" dateTime={createdAt} title={date(createdAt)}>
              {ago(createdAt)}
            </time>
          </p>
          <p class="text">{text}</p>
        </div>
      ))}
      <div class="row">
        {start !== null && (
          <button type="button" class="link" onClick={() => store.player.seek(start)}>
            {end !== null && end > start ? `${clock(start)} to ${clock(end)}` : clock(start)}
          </button>
        )}
        {anchor?.issueId && (
          <button type="button" class="link" onClick={() => store.select(anchor.issueId ?? undefined)}>
            Finding
          </button>
        )}
        {fromVersion !== null && <span class="badge">From version {fromVersion}</span>}
        {may("reviewer") && (
          <>
            <button
              type="button"
              class="plain small"
              onClick={() =>
                change(() => greenlit.call("changeComment", { params, body: { isResolved: !isResolved } }))
              }
            >
              {isResolved ? "Open again" : "Resolve"}
            </button>
            <button
              type="button"
              class="plain small"
              aria-expanded={isReplying.value}
              onClick={() => (isReplying.value = !isReplying.value)}
            >
              Reply
            </button>
          </>
        )}
        {comment.author.id === me.value?.personId && (
          <button
            type="button"
            class="plain small"
            onClick={() => change(() => greenlit.call("deleteComment", { params }))}
          >
            Delete
          </button>
        )}
      </div>
      {isReplying.value && (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            const reply = formText(event.currentTarget, "reply");
            if (reply === "") return;
            onReply(reply);
            isReplying.value = false;
          }}
        >
          <input name="reply" aria-label="Reply" required maxLength={4000} ref={(input) => input?.focus()} />
          <button type="submit" class="small primary">
            Send
          </button>
        </form>
      )}
    </li>
  );
}
