import { useSignal } from "@preact/signals";
import { greenlit, messageOf, base } from "../api/client.ts";
import { formText } from "../ui/form-text.ts";
import { useLoad } from "../ui/load.tsx";
import { navigate, place, setHash } from "../ui/router.tsx";
import { Field } from "./field.tsx";
import { me } from "./session.ts";

type Kind = "sign-in" | "setup" | "invitation" | "reset";

const texts: Record<Kind, { title: string; about: string; action: string }> = {
  "sign-in": { title: "Sign in", about: "Review what is waiting for you.", action: "Sign in" },
  setup: {
    title: "Set up Greenlit",
    about: "You become the first admin. Invite your reviewers afterwards.",
    action: "Create account",
  },
  invitation: {
    title: "Join the workspace",
    about: "New here? Choose a name and a password. If you have an account already, give its password.",
    action: "Join",
  },
  reset: { title: "Choose a new password", about: "All your sessions end. Sign in with the new one.", action: "Save" },
};

/** Why the provider's answer did not sign somebody in. */
const refusals: Record<string, string> = {
  not_invited: "Nobody has invited this address yet. Ask an admin of your workspace.",
  email_not_verified: "Your provider has not verified this address. Verify it there, then try again.",
  account_disabled: "This account is disabled. Ask an admin.",
  provider_unavailable: "The sign-in provider cannot be reached. Try again in a minute, or tell your operator.",
};

function readRefusal(): string {
  const reason = place.value.hash.get("sign-in-failed");
  if (reason !== null) setHash({});
  return reason === null ? "" : (refusals[reason] ?? "This sign-in was not completed. Try it again.");
}

/** What a link leads to. Its token is behind the #, which no server log sees, and leaves the address at once. */
function readLink(): { kind: Kind; token: string } {
  for (const kind of ["setup", "invitation", "reset"] as const) {
    const token = place.value.hash.get(kind);
    if (token !== null) return { kind, token };
  }
  return { kind: "sign-in", token: "" };
}

export function hasLink(): boolean {
  return readLink().kind !== "sign-in";
}

export function Door() {
  // Read at each change: a link that is pasted into an open page only changes what is behind the #.
  const link = readLink();
  const error = useSignal(readRefusal());
  // Who is signed in joins with one click, unless the invitation is for another address.
  const needsProof = useSignal(me.value === null || link.kind !== "invitation");
  const isBusy = useSignal(false);
  const options = useLoad(() => greenlit.call("readSignInOptions"), []).value.value;
  const { title, about, action } = texts[link.kind];
  const { kind, token } = link;
  const hasPasswords = options?.passwords !== false;
  // Without passwords the provider's word is the way in; the first admin still says who they are.
  const hasForm = hasPasswords || kind === "setup" || !needsProof.value;

  async function submit(form: HTMLFormElement): Promise<void> {
    const [email, name] = [formText(form, "email"), formText(form, "name")];
    // Spaces at its ends are part of a password.
    const password = form.querySelector<HTMLInputElement>('[name="password"]')?.value ?? "";
    error.value = "";
    isBusy.value = true;
    try {
      if (kind === "sign-in") me.value = await greenlit.call("signIn", { body: { email, password } });
      if (kind === "setup")
        me.value = await greenlit.call("setUp", { body: { token, email, name, ...(password !== "" && { password }) } });
      if (kind === "invitation")
        me.value = await greenlit.call("acceptInvitation", {
          body: { token, ...(name !== "" && { name }), ...(password !== "" && { password }) },
        });
      if (kind === "reset") await greenlit.call("resetPassword", { body: { token, password } });
      if (kind !== "sign-in") navigate("/", { replace: true });
      if (kind === "reset") location.reload();
    } catch (failure) {
      error.value = messageOf(failure);
      needsProof.value = true;
    } finally {
      isBusy.value = false;
    }
  }

  return (
    <main class="door">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <img src={`${base}/console/icon.svg`} width={40} height={40} alt="" />
        <h1>{title}</h1>
        <p class="quiet">
          {needsProof.value
            ? hasForm
              ? about
              : "Use the account of your organisation."
            : `You are signed in as ${me.value?.email ?? ""}.`}
        </p>
        {error.value !== "" && (
          <p class="refusal" role="alert">
            {error.value}
          </p>
        )}
        {hasForm && (
          <>
            {(kind === "sign-in" || kind === "setup") && (
              <Field label="Email" name="email" type="email" autoComplete="username" required autofocus />
            )}
            {(kind === "setup" || (kind === "invitation" && needsProof.value)) && (
              <Field
                label="Name"
                name="name"
                autoComplete="name"
                required={kind === "setup"}
                hint="Shown beside your decisions."
              />
            )}
            {hasPasswords && needsProof.value && (
              <Field
                label={kind === "reset" ? "New password" : "Password"}
                name="password"
                type="password"
                required
                autoComplete={kind === "sign-in" ? "current-password" : "new-password"}
                {...(kind !== "sign-in" && { hint: "At least 12 characters." })}
              />
            )}
            <button type="submit" class="primary" disabled={isBusy.value}>
              {isBusy.value ? "One moment…" : action}
            </button>
          </>
        )}
        {options?.oidc && (kind === "sign-in" || kind === "invitation") && needsProof.value && (
          <a class={hasForm ? "button" : "button primary"} href={base + options.oidc.url}>
            Continue with {options.oidc.name}
          </a>
        )}
      </form>
    </main>
  );
}
