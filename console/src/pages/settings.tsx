import { useSignal } from "@preact/signals";
import { greenlit } from "../api/client.ts";
import type { ReviewRules } from "@greenlit/sdk/src/generated.ts";
import { ContextForm } from "../upload/context-form.tsx";
import type { Context } from "../upload/context.ts";
import { States, useLoad } from "../ui/load.tsx";
import { Page } from "../ui/page.tsx";
import { attempt, toast } from "../ui/toast.tsx";

const rules: { name: keyof ReviewRules; label: string }[] = [
  { name: "uploaderMayNotApprove", label: "The person who submitted an asset may not approve it" },
  { name: "secondPersonForCritical", label: "Dismissing a critical finding needs a second person" },
  { name: "openCriticalBlocksApproval", label: "No approval while a critical finding is open" },
  { name: "keyMayNotApprove", label: "An API key alone may not approve" },
];

export function SettingsPage() {
  const workspace = useLoad(() => greenlit.call("readWorkspace"), []);
  const context = useSignal<Context | undefined>(undefined);
  const change = (name: keyof ReviewRules, value: boolean) =>
    void attempt(async () => {
      const changed = await greenlit.call("changeWorkspace", { body: { reviewRules: { [name]: value } } });
      workspace.value = { value: changed, error: undefined };
      toast("Saved");
    });
  const save = () =>
    void attempt(async () => {
      await greenlit.call("changeWorkspace", { body: { defaultContext: context.value ?? null } });
      toast("Saved");
    });
  return (
    <Page title="Settings" about="What holds for everybody in this workspace.">
      <States of={workspace}>
        {({ reviewRules, defaultContext }) => (
          <div class="stack">
            <section class="card stack">
              <h2>Review</h2>
              {rules.map(({ name, label }) => (
                <label key={name} class="check">
                  <input
                    type="checkbox"
                    checked={reviewRules[name]}
                    onChange={(event) => change(name, event.currentTarget.checked)}
                  />
                  {label}
                </label>
              ))}
            </section>
            <section class="card stack">
              <h2>What uploads are for, unless they say so themselves</h2>
              <ContextForm value={context.value ?? defaultContext ?? {}} onChange={(next) => (context.value = next)} />
              <div>
                <button type="button" class="primary" disabled={context.value === undefined} onClick={save}>
                  Save
                </button>
              </div>
            </section>
          </div>
        )}
      </States>
    </Page>
  );
}
