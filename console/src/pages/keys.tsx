import { useSignal } from "@preact/signals";
import { greenlit } from "../api/client.ts";
import { Field } from "../session/field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ago, date } from "../ui/format.ts";
import { formText } from "../ui/form-text.ts";
import { States, useLoad } from "../ui/load.tsx";
import { Once } from "../ui/once.tsx";
import { Page } from "../ui/page.tsx";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { attempt } from "../ui/toast.tsx";

export function KeysPage() {
  const keys = useLoad(() => greenlit.call("listKeys"), []);
  const isMaking = useSignal(false);
  const secret = useSignal("");
  const make = (form: HTMLFormElement) =>
    attempt(async () => {
      const mode = formText(form, "mode") === "live" ? "live" : "sandbox";
      secret.value = (await greenlit.call("createKey", { body: { mode, name: formText(form, "name") } })).key;
      isMaking.value = false;
      keys.again();
    });
  const revoke = (keyId: string) =>
    void attempt(() => greenlit.call("revokeKey", { params: { key_id: keyId } })).then(() => keys.again());
  return (
    <Page
      title="API keys"
      about="For programs. A sandbox key analyses nothing and costs nothing."
      actions={
        <button type="button" class="primary" onClick={() => (isMaking.value = true)}>
          Create key
        </button>
      }
    >
      <States of={keys}>
        {({ data }) => (
          <div class="table cards">
            <table>
              <thead>
                <tr>
                  <th>Name</th>
                  <th>Key</th>
                  <th>Mode</th>
                  <th>Last used</th>
                  <th>Created</th>
                  <th>Expires</th>
                  <th>
                    <span class="sr">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map(({ keyId, name, keyHint, mode, lastUsedAt, createdAt, expiresAt, revokedAt }) => (
                  <tr key={keyId}>
                    <td>{name ?? "Unnamed"}</td>
                    <td>
                      <code>{keyHint}</code>
                    </td>
                    <td>{mode === "live" ? "Live" : "Sandbox"}</td>
                    <td class="quiet" data-label="Last used">
                      {lastUsedAt ? ago(lastUsedAt) : "Never"}
                    </td>
                    <td class="quiet" data-label="Created">
                      {date(createdAt)}
                    </td>
                    <td class="quiet" data-label="Expires">
                      {expiresAt ? date(expiresAt) : "Never"}
                    </td>
                    <td class="end">
                      {revokedAt || isPast(expiresAt) ? (
                        <span class="badge">{revokedAt ? "Revoked" : "Expired"}</span>
                      ) : (
                        <ConfirmButton
                          class="small danger"
                          label="Revoke"
                          question={`Revoke ${keyHint}?`}
                          about="Programs that use it stop working within seconds."
                          onConfirm={() => revoke(keyId)}
                        />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </States>
      {isMaking.value && (
        <Dialog title="Create an API key" onClose={() => (isMaking.value = false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void make(event.currentTarget);
            }}
          >
            <Field label="What it is for" name="name" required autofocus placeholder="Ad pipeline" />
            <label class="field">
              <span>Mode</span>
              <select name="mode">
                <option value="sandbox">Sandbox</option>
                <option value="live">Live</option>
              </select>
            </label>
            <footer>
              <button type="submit" class="primary">
                Create
              </button>
            </footer>
          </form>
        </Dialog>
      )}
      {secret.value !== "" && (
        <Once
          title="Your new key"
          about="It is shown only now. Only its hash is stored."
          text={secret.value}
          onClose={() => (secret.value = "")}
        />
      )}
    </Page>
  );
}

function isPast(iso: string | null): boolean {
  return iso !== null && Date.parse(iso) <= Date.now();
}
