import { useSignal } from "@preact/signals";
import { base } from "../api/client.ts";
import { hashOf } from "../certificates/hash-of.ts";
import { date, words } from "../ui/format.ts";
import { States, useLoad } from "../ui/load.tsx";
import { useTitle } from "../ui/page.tsx";

type Status = {
  number: number;
  status: "VALID" | "EXPIRED" | "REVOKED";
  isSuperseded: boolean;
  sha256: string;
  issuedAt: string;
  expiresAt: string;
  revokedAt: string | null;
};

const texts: Record<Status["status"], string> = {
  VALID: "The file was cleared, and the clearance holds.",
  EXPIRED: "The clearance has run out. Ask whoever issued it for a new one.",
  REVOKED: "The clearance was taken back. Do not rely on it.",
};

async function readStatus(id: string): Promise<Status> {
  const response = await fetch(`${base}/certificates/${encodeURIComponent(id)}/status`);
  if (response.status === 404) throw new Error("There is no such certificate. The address may be incomplete.");
  if (!response.ok) throw new Error("The status could not be read. Try again.");
  return (await response.json()) as Status;
}

/** For whoever scans the code of a printed certificate: does it hold today, and is this the file? */
export function StatusPage({ params: [id = ""] }: { params: string[] }) {
  const status = useLoad(() => readStatus(id), [id]);
  useTitle("Certificate status");
  return (
    <main class="door">
      <div class="card status-card">
        <img src={`${base}/console/icon.svg`} width={40} height={40} alt="" />
        <States of={status}>
          {({ number, status: state, isSuperseded, sha256, issuedAt, expiresAt, revokedAt }) => (
            <>
              <h1>Certificate {number}</h1>
              <p class={`verdict-line ${state.toLowerCase()}`}>
                <strong>{words(state)}</strong>
                <span>{texts[state]}</span>
              </p>
              {isSuperseded && <p class="quiet">A newer certificate or a newer result replaces it.</p>}
              <dl class="facts">
                <dt>Issued</dt>
                <dd>{date(issuedAt)}</dd>
                <dt>Valid until</dt>
                <dd>{date(expiresAt)}</dd>
                {revokedAt !== null && (
                  <>
                    <dt>Revoked</dt>
                    <dd>{date(revokedAt)}</dd>
                  </>
                )}
                <dt>SHA-256</dt>
                <dd>
                  <code>{sha256}</code>
                </dd>
              </dl>
              <FileCheck sha256={sha256} />
            </>
          )}
        </States>
      </div>
    </main>
  );
}

/** The file stays where it is: only its hash is compared. */
function FileCheck({ sha256 }: { sha256: string }) {
  const answer = useSignal<{ isSame: boolean; text: string } | undefined>(undefined);
  const compare = async (file: File) => {
    answer.value = { isSame: true, text: "Reading the file…" };
    const hash = await hashOf(file).catch(() => undefined);
    if (hash === undefined)
      answer.value = { isSame: false, text: "The file could not be read here. Use greenlit verify instead." };
    else if (hash === sha256) answer.value = { isSame: true, text: `${file.name} is the file, byte for byte.` };
    else answer.value = { isSame: false, text: `${file.name} has other bytes than the file that was cleared.` };
  };
  return (
    <label class="field">
      <span>Compare a file</span>
      <input
        type="file"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void compare(file);
        }}
      />
      <small class={answer.value?.isSame === false ? "refusal" : "quiet"} role="status">
        {answer.value?.text ?? "It is not sent anywhere."}
      </small>
    </label>
  );
}
