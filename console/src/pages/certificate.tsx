import type { Certificate } from "@greenlit/sdk/src/generated.ts";
import { useSignal } from "@preact/signals";
import { greenlit } from "../api/client.ts";
import { readClearance } from "../certificates/clearance.ts";
import { QrPicture } from "../certificates/qr-picture.tsx";
import { statusUrl } from "../certificates/status-url.ts";
import { RevokeDialog } from "../certificates/revoke-dialog.tsx";
import { may } from "../session/session.ts";
import { Copy } from "../ui/copy.tsx";
import { bytes, date, words } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { States, useLoad } from "../ui/load.tsx";
import { Page } from "../ui/page.tsx";
import { Link } from "../ui/router.tsx";

/** A certificate as it is printed and handed on. */
export function CertificatePage({ params: [id = ""] }: { params: string[] }) {
  const certificate = useLoad(() => greenlit.call("readCertificate", { params: { certificate_id: id } }), [id]);
  const isRevoking = useSignal(false);
  const { number, status } = certificate.value.value ?? {};
  return (
    <Page
      title={number === undefined ? "Certificate" : `Certificate ${number}`}
      above={
        <Link to="/certificates" class="crumb">
          Certificates
        </Link>
      }
      actions={
        certificate.value.value && (
          <>
            <button type="button" class="primary" onClick={() => print()}>
              <Icon name="print" /> Print
            </button>
            <button type="button" onClick={() => save(certificate.value.value)}>
              Download
            </button>
            <Copy text={statusUrl(id)} label="Copy status link" />
            {status !== "REVOKED" && may("approver") && (
              <button type="button" class="danger" onClick={() => (isRevoking.value = true)}>
                Revoke…
              </button>
            )}
          </>
        )
      }
    >
      <States of={certificate}>{(value) => <Paper certificate={value} />}</States>
      {isRevoking.value && (
        <RevokeDialog
          certificateId={id}
          onClose={() => (isRevoking.value = false)}
          onRevoked={() => certificate.again()}
        />
      )}
    </Page>
  );
}

function Paper({ certificate }: { certificate: Certificate }) {
  const {
    certificateId,
    number,
    filename,
    sha256,
    status,
    supersededBy,
    supersededByRejudge,
    revokedReason,
    revokedAt,
  } = certificate;
  const { decision, packs, dismissals, issueCounts, wording, ...clearance } = readClearance(certificate.envelope);
  const counts = Object.entries(issueCounts).map(([name, count]) => `${count} ${words(name).toLowerCase()}`);
  return (
    <article class="certificate card">
      <header>
        <div>
          <p class="quiet">Certificate of clearance</p>
          <h2>No. {number}</h2>
          <p>
            <span class={`badge ${status.toLowerCase()}`}>{words(status)}</span>
          </p>
        </div>
        <figure>
          <QrPicture text={statusUrl(certificateId)} label="QR code of the status page" />
          <figcaption class="quiet">Scan for its status today</figcaption>
        </figure>
      </header>
      {status === "REVOKED" && (
        <p class="refusal">
          Revoked {revokedAt && date(revokedAt)}: {revokedReason}
        </p>
      )}
      {supersededBy !== null && (
        <p class="note">
          A newer one replaces it: <Link to={`/certificates/${supersededBy}`}>open the newer certificate</Link>
        </p>
      )}
      {supersededByRejudge !== null && (
        <p class="note">The file was judged again after it was certified, and its result is another.</p>
      )}
      <dl class="facts">
        <dt>File</dt>
        <dd>
          <bdi>{filename}</bdi>, version {clearance.versionNumber}, {bytes(clearance.sizeBytes)}
        </dd>
        <dt>SHA-256</dt>
        <dd>
          <code>{sha256}</code>
        </dd>
        <dt>Decision</dt>
        <dd>
          <strong>{words(decision.decision)}</strong> by {decision.decidedBy.name ?? "an API key"}
          {decision.decidedBy.role && ` (${decision.decidedBy.role})`}, {date(decision.decidedAt)}
          {decision.reason && <p>{decision.reason}</p>}
        </dd>
        <dt>Markets</dt>
        <dd>{decision.markets.length > 0 ? decision.markets.join(", ") : "As declared below"}</dd>
        {decision.conditions.length > 0 && (
          <>
            <dt>Conditions</dt>
            <dd>
              <ul>
                {decision.conditions.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
        <Declared context={clearance.context} />
        <dt>Findings</dt>
        <dd>{counts.length > 0 ? counts.join(", ") : "None"}</dd>
        {dismissals.length > 0 && (
          <>
            <dt>Dismissed</dt>
            <dd>
              <ul>
                {dismissals.map(({ fingerprint, ruleCode, severity, reason, reasonCode }) => (
                  <li key={fingerprint}>
                    <code>{ruleCode}</code> {words(severity).toLowerCase()}
                    {reasonCode && `, ${words(reasonCode).toLowerCase()}`}
                    {reason && `: ${reason}`}
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
        <dt>Rules</dt>
        <dd>
          <ul class="packs">
            {packs.map(({ sidekickId, name, packVersion }) => (
              <li key={sidekickId}>
                {name} <code class="quiet">{packVersion}</code>
              </li>
            ))}
          </ul>
        </dd>
        <dt>Issued</dt>
        <dd>
          {date(certificate.issuedAt)}, valid until {date(certificate.expiresAt)}
        </dd>
        <dt>Signed with</dt>
        <dd>
          <code>{certificate.envelope.signatures[0]?.keyid}</code>
        </dd>
        {clearance.auditHead && (
          <>
            <dt>Audit head</dt>
            <dd>
              <code>{clearance.auditHead}</code>
            </dd>
          </>
        )}
      </dl>
      <footer class="quiet">
        <p>{wording}</p>
        <p>
          Status: <code>{statusUrl(certificateId)}</code>
        </p>
      </footer>
    </article>
  );
}

function Declared({ context }: { context: Record<string, unknown> }) {
  const known = Object.entries(context).filter(([, value]) => typeof value === "string" || Array.isArray(value));
  if (known.length === 0) return null;
  return (
    <>
      <dt>Declared</dt>
      <dd>{known.map(([name, value]) => `${words(name).toLowerCase()} ${String(value)}`).join(", ")}</dd>
    </>
  );
}

/** What `greenlit verify --certificate` takes. */
function save(certificate: Certificate | undefined): void {
  if (!certificate) return;
  const url = URL.createObjectURL(new Blob([JSON.stringify(certificate, null, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `certificate-${certificate.number}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
