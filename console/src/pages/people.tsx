import { useSignal } from "@preact/signals";
import { greenlit } from "../api/client.ts";
import type { Member } from "@greenlit/sdk/src/generated.ts";
import { Field } from "../session/field.tsx";
import { may, me } from "../session/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { date, words } from "../ui/format.ts";
import { formText } from "../ui/form-text.ts";
import { States, useLoad } from "../ui/load.tsx";
import { Once } from "../ui/once.tsx";
import { Page } from "../ui/page.tsx";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { attempt } from "../ui/toast.tsx";

type Role = Member["role"];
const roles: Role[] = ["viewer", "reviewer", "approver", "admin"];

export function PeoplePage() {
  const isAdmin = may("admin");
  const people = useLoad(() => greenlit.call("listPeople"), []);
  const invitations = useLoad(async () => (isAdmin ? (await greenlit.call("listInvitations")).data : []), []);
  const isInviting = useSignal(false);
  const link = useSignal("");
  const invite = (form: HTMLFormElement) =>
    attempt(async () => {
      const body = { email: formText(form, "email"), role: formText(form, "role") as Role };
      link.value = (await greenlit.call("createInvitation", { body })).url;
      isInviting.value = false;
      invitations.again();
    });
  return (
    <Page
      title="People"
      about="Viewers read; reviewers also upload, decide findings and comment; approvers also sign; admins also manage."
      actions={
        isAdmin && (
          <button type="button" class="primary" onClick={() => (isInviting.value = true)}>
            Invite
          </button>
        )
      }
    >
      <States of={people}>
        {({ data }) => (
          <div class="table cards">
            <table>
              <thead>
                <tr>
                  <th>Name</th>
                  <th>Email</th>
                  <th>Role</th>
                  <th>Joined</th>
                  <th>
                    <span class="sr">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((member) => (
                  <Row
                    key={member.personId}
                    member={member}
                    onChange={() => people.again()}
                    onLink={(url) => (link.value = url)}
                  />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </States>
      {(invitations.value.value ?? []).length > 0 && (
        <section class="section">
          <h2>Open invitations</h2>
          <ul class="plain-list">
            {(invitations.value.value ?? []).map(({ invitationId, email, role, expiresAt }) => (
              <li key={invitationId} class="row">
                <span>{email}</span>
                <span class="quiet">
                  {words(role)}
                  {expiresAt && `, until ${date(expiresAt)}`}
                </span>
                <button
                  type="button"
                  class="small"
                  onClick={() =>
                    void attempt(() =>
                      greenlit.call("deleteInvitation", { params: { invitation_id: invitationId } }),
                    ).then(() => invitations.again())
                  }
                >
                  Withdraw
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {isInviting.value && (
        <Dialog title="Invite somebody" onClose={() => (isInviting.value = false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void invite(event.currentTarget);
            }}
          >
            <Field label="Email" name="email" type="email" required autofocus />
            <label class="field">
              <span>Role</span>
              <select name="role" value="reviewer">
                {roles.map((role) => (
                  <option key={role} value={role}>
                    {words(role)}
                  </option>
                ))}
              </select>
            </label>
            <footer>
              <button type="submit" class="primary">
                Make a link
              </button>
            </footer>
          </form>
        </Dialog>
      )}
      {link.value !== "" && (
        <Once
          title="A link to send"
          about="It works once. Copy it and send it yourself: the service sends no mail."
          text={link.value}
          onClose={() => (link.value = "")}
        />
      )}
    </Page>
  );
}

function Row(props: { member: Member; onChange: () => void; onLink: (url: string) => void }) {
  const { member, onChange, onLink } = props;
  const { personId, name, email, role, joinedAt, isDisabled } = member;
  const params = { person_id: personId };
  const isAdmin = may("admin");
  return (
    <tr>
      <td>
        {name} {personId === me.value?.personId && <span class="badge">You</span>}
        {isDisabled && <span class="badge">Disabled</span>}
      </td>
      <td class="quiet">{email}</td>
      <td>
        {isAdmin ? (
          <select
            aria-label={`Role of ${name}`}
            value={role}
            onChange={(event) => {
              const next = event.currentTarget.value as Role;
              void attempt(() => greenlit.call("changePerson", { params, body: { role: next } })).then(onChange);
            }}
          >
            {roles.map((other) => (
              <option key={other} value={other}>
                {words(other)}
              </option>
            ))}
          </select>
        ) : (
          words(role)
        )}
      </td>
      <td class="quiet" data-label="Joined">
        {date(joinedAt)}
      </td>
      <td class="end">
        {isAdmin && (
          <div class="row end">
            <button
              type="button"
              class="small"
              onClick={() => void attempt(async () => onLink((await greenlit.call("createResetLink", { params })).url))}
            >
              Reset password
            </button>
            <ConfirmButton
              class="small danger"
              label="Remove"
              question={`Remove ${name}?`}
              about="They leave this workspace at once. What they decided and wrote stays."
              onConfirm={() => void attempt(() => greenlit.call("removePerson", { params })).then(onChange)}
            />
          </div>
        )}
      </td>
    </tr>
  );
}
