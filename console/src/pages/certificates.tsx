import { greenlit } from "../api/client.ts";
import { date, words } from "../ui/format.ts";
import { States, useLoad } from "../ui/load.tsx";
import { Page } from "../ui/page.tsx";
import { Link, place } from "../ui/router.tsx";
import { attempt } from "../ui/toast.tsx";

export function CertificatesPage() {
  const assetId = place.value.query.get("asset");
  const read = (cursor: string | null) => greenlit.call("listCertificates", { query: { limit: 50, assetId, cursor } });
  const list = useLoad(() => read(null), [assetId]);
  const more = () =>
    attempt(async () => {
      const before = list.value.value;
      const next = await read(before?.nextCursor ?? null);
      list.value = { value: { ...next, data: [...(before?.data ?? []), ...next.data] }, error: undefined };
    });
  return (
    <Page
      title="Certificates"
      about="Signed records of what was cleared, by whom and under which rules. An approved asset gets one from its page."
    >
      <States of={list}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <div class="empty">
              <p>No certificate yet.</p>
              <p class="quiet">Approve an asset, then choose Certify on its page.</p>
            </div>
          ) : (
            <>
              <ul class="rows" aria-label="Certificates">
                {data.map(
                  ({
                    certificateId,
                    number,
                    filename,
                    status,
                    supersededBy,
                    supersededByRejudge,
                    issuedAt,
                    expiresAt,
                  }) => (
                    <li key={certificateId} class="simple-row">
                      <Link to={`/certificates/${certificateId}`}>
                        <span class="quiet number">{number}</span>
                        <span class="what grow">
                          <strong class="cut" dir="auto">
                            {filename}
                          </strong>
                          <small class="quiet cut">
                            Issued {date(issuedAt)}, valid until {date(expiresAt)}
                          </small>
                        </span>
                        {(supersededBy ?? supersededByRejudge) !== null && <span class="badge">Replaced</span>}
                        <span class={`badge ${status.toLowerCase()}`}>{words(status)}</span>
                      </Link>
                    </li>
                  ),
                )}
              </ul>
              {hasMore && (
                <button type="button" class="more" onClick={() => void more()}>
                  Load more
                </button>
              )}
            </>
          )
        }
      </States>
    </Page>
  );
}
