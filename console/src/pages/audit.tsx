import { useSignal } from "@preact/signals";
import type { AuditEntry } from "@greenlit/sdk/src/generated.ts";
import { base, greenlit } from "../api/client.ts";
import { date } from "../ui/format.ts";
import { States, useLoad } from "../ui/load.tsx";
import { Page } from "../ui/page.tsx";
import { attempt } from "../ui/toast.tsx";

export function AuditPage() {
  const action = useSignal("");
  const list = useLoad(
    () => greenlit.call("listAudit", { query: { limit: 50, ...(action.value !== "" && { action: action.value }) } }),
    [action.value],
  );
  const more = () =>
    attempt(async () => {
      const before = list.value.value;
      const next = await greenlit.call("listAudit", {
        query: { limit: 50, cursor: before?.nextCursor ?? null, ...(action.value !== "" && { action: action.value }) },
      });
      list.value = { value: { ...next, data: [...(before?.data ?? []), ...next.data] }, error: undefined };
    });
  return (
    <Page
      title="Audit"
      about="Every change by a person or a key. Each entry is bound to those before it by its hash."
      actions={
        <>
          <a class="button" href={`${base}/api/integrations/audit/export?format=csv`} download="audit.csv">
            CSV
          </a>
          <a class="button" href={`${base}/api/integrations/audit/export?format=ndjson`} download="audit.ndjson">
            NDJSON
          </a>
        </>
      }
    >
      <div class="toolbar">
        <input
          type="search"
          aria-label="Action"
          placeholder="Action, like review.decided"
          onChange={(event) => (action.value = event.currentTarget.value.trim())}
        />
      </div>
      <States of={list}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 && <div class="empty">Nothing was changed yet.</div>}
            <ol class="audit">
              {data.map((entry) => (
                <Entry key={entry.entryId} entry={entry} />
              ))}
            </ol>
            {hasMore && (
              <button type="button" class="more" onClick={() => void more()}>
                Load more
              </button>
            )}
          </>
        )}
      </States>
    </Page>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { number, createdAt, actor, action, target, detail, hash } = entry;
  return (
    <li>
      <details>
        <summary>
          <span class="quiet number">{number}</span>
          <strong>{action}</strong>
          <span class="cut">{actor.name ?? actor.kind}</span>
          <time class="quiet" dateTime={createdAt}>
            {date(createdAt)}
          </time>
        </summary>
        <pre class="code">{JSON.stringify({ target, detail, hash }, null, 2)}</pre>
      </details>
    </li>
  );
}
