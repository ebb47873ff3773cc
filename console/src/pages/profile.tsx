import { greenlit } from "../api/client.ts";
import { Field } from "../session/field.tsx";
import { me } from "../session/session.ts";
import { ago } from "../ui/format.ts";
import { formText } from "../ui/form-text.ts";
import { keysAreOn, switchKeys } from "../ui/keys.ts";
import { States, useLoad } from "../ui/load.tsx";
import { Page } from "../ui/page.tsx";
import { attempt, toast } from "../ui/toast.tsx";

export function ProfilePage() {
  const sessions = useLoad(() => greenlit.call("listSessions"), []);
  const rename = (form: HTMLFormElement) =>
    void attempt(async () => {
      me.value = await greenlit.call("changeMe", { body: { name: formText(form, "name") } });
      toast("Saved");
    });
  const changePassword = (form: HTMLFormElement) =>
    void attempt(async () => {
      const [currentPassword, newPassword] = [...form.querySelectorAll("input")].map(({ value }) => value);
      await greenlit.call("changePassword", {
        body: { currentPassword: currentPassword ?? "", newPassword: newPassword ?? "" },
      });
      form.reset();
      toast("Changed. Your other sessions ended.");
    });
  return (
    <Page title="Profile" {...(me.value && { about: me.value.email })}>
      <div class="stack">
        <form
          class="card stack"
          onSubmit={(event) => {
            event.preventDefault();
            rename(event.currentTarget);
          }}
        >
          <Field label="Name" name="name" value={me.value?.name ?? ""} required />
          <div>
            <button type="submit">Save</button>
          </div>
        </form>
        <form
          class="card stack"
          onSubmit={(event) => {
            event.preventDefault();
            changePassword(event.currentTarget);
          }}
        >
          <h2>Password</h2>
          <Field label="Current password" name="current" type="password" autoComplete="current-password" required />
          <Field
            label="New password"
            name="new"
            type="password"
            autoComplete="new-password"
            hint="At least 12 characters. Your other sessions end."
            required
          />
          <div>
            <button type="submit">Change</button>
          </div>
        </form>
        <section class="card stack">
          <h2>Keyboard</h2>
          <label class="check">
            <input
              type="checkbox"
              checked={keysAreOn.value}
              onChange={(event) => switchKeys(event.currentTarget.checked)}
            />
            Single keys work on the page of an asset
          </label>
        </section>
        <section class="card stack">
          <h2>Sessions</h2>
          <States of={sessions}>
            {({ data }) => (
              <ul class="plain-list">
                {data.map(({ sessionId, isCurrent, userAgent, address, lastSeenAt }) => (
                  <li key={sessionId} class="row">
                    <span class="cut grow" title={userAgent ?? ""}>
                      {browserName(userAgent ?? "")} <span class="quiet">{address}</span>
                    </span>
                    <span class="quiet">{ago(lastSeenAt)}</span>
                    {isCurrent ? (
                      <span class="badge">This one</span>
                    ) : (
                      <button
                        type="button"
                        class="small"
                        onClick={() =>
                          void attempt(() => greenlit.call("endSession", { params: { session_id: sessionId } })).then(
                            () => sessions.again(),
                          )
                        }
                      >
                        End
                      </button>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </States>
        </section>
      </div>
    </Page>
  );
}

function browserName(userAgent: string): string {
  const name = ["Edg", "Firefox", "Chrome", "Safari"].find((candidate) => userAgent.includes(candidate));
  const system = ["Windows", "Mac OS X", "Android", "iPhone", "Linux"].find((candidate) =>
    userAgent.includes(candidate),
  );
  return [name === "Edg" ? "Edge" : name, system].filter(Boolean).join(" on ") || "Unknown browser";
}
